/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System V IPC and sockets: structures with 32-bit words, control messages aligned to 4. */
#include "check.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int recent(time_t t)
{
	time_t now = time(NULL);
	return t <= now && now - t < 60;
}

static void semaphores(void)
{
	union semun {
		int val;
		struct semid_ds *buf;
		unsigned short *array;
	} arg;
	struct semid_ds ds;
	unsigned short values[3] = {5, 0, 65};
	int id = semget(IPC_PRIVATE, 3, 0600 | IPC_CREAT);

	if (id < 0 && errno == ENOSYS)
		return; /* a kernel without System V IPC */
	CHECK(id >= 0);
	arg.array = values;
	CHECK(!semctl(id, 0, SETALL, arg));
	EQUAL(semctl(id, 2, GETVAL), 65);
	struct sembuf ops[2] = {{0, -3, 0}, {1, 1, 0}};
	CHECK(!semop(id, ops, 2));
	EQUAL(semctl(id, 0, GETVAL), 2);
	EQUAL(semctl(id, 0, GETPID), getpid());
	struct sembuf wait = {0, -9, 0};
	struct timespec span = {0, 20000000};
	CHECK(semtimedop(id, &wait, 1, &span) == -1 && errno == EAGAIN);
	arg.buf = &ds;
	CHECK(!semctl(id, 0, IPC_STAT, arg));
	CHECK(ds.sem_nsems == 3 && (ds.sem_perm.mode & 0777) == 0600 &&
	      ds.sem_perm.uid == geteuid());
	CHECK(recent(ds.sem_otime) && recent(ds.sem_ctime));
	ds.sem_perm.mode = 0640;
	CHECK(!semctl(id, 0, IPC_SET, arg) && !semctl(id, 0, IPC_STAT, arg) &&
	      (ds.sem_perm.mode & 0777) == 0640);
	CHECK(!semctl(id, 0, IPC_RMID) && semctl(id, 0, GETVAL) == -1 && errno == EINVAL);
}

static void messages(void)
{
	struct {
		long type;
		char text[16];
	} message = {7, "seven"};
	struct msqid_ds ds;
	int id = msgget(IPC_PRIVATE, 0600 | IPC_CREAT);

	if (id < 0 && errno == ENOSYS)
		return;
	CHECK(id >= 0 && !msgsnd(id, &message, 6, 0));
	message.type = 9;
	strcpy(message.text, "nine");
	CHECK(!msgsnd(id, &message, 5, 0));
	CHECK(!msgctl(id, IPC_STAT, &ds) && ds.msg_qnum == 2 && ds.msg_qbytes > 1000 &&
	      ds.msg_lspid == getpid());
	CHECK(recent(ds.msg_stime) && ds.msg_rtime == 0 && recent(ds.msg_ctime));
	EQUAL(msgrcv(id, &message, sizeof message.text, 9, 0), 5);
	TEXT(message.text, "nine");
	EQUAL(message.type, 9);
	EQUAL(msgrcv(id, &message, sizeof message.text, -8, 0), 6);
	TEXT(message.text, "seven");
	CHECK(msgrcv(id, &message, 16, 0, IPC_NOWAIT) == -1 && errno == ENOMSG);
	CHECK(!msgctl(id, IPC_RMID, NULL));
}

static void memory(void)
{
	struct shmid_ds ds;
	int id = shmget(IPC_PRIVATE, 10000, 0600 | IPC_CREAT);

	if (id < 0 && errno == ENOSYS)
		return;
	CHECK(id >= 0);
	int *at = shmat(id, NULL, 0);
	CHECK(at != (void *)-1);
	if (at == (void *)-1)
		return;
	at[1000] = 42;
	pid_t pid = fork();
	if (!pid) {
		at[1000]++;
		_exit(0);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
	EQUAL(at[1000], 43);
	CHECK(!shmctl(id, IPC_STAT, &ds) && ds.shm_segsz == 10000 && ds.shm_nattch == 1 &&
	      ds.shm_cpid == getpid());
	CHECK(recent(ds.shm_atime) && recent(ds.shm_ctime));
	CHECK(!shmctl(id, IPC_RMID, NULL) && !shmdt(at) && shmdt(at) == -1 && errno == EINVAL);
}

static void descriptors(void)
{
	int pair[2], fds[2];
	char byte = 'b', control[CMSG_SPACE(2 * sizeof(int)) + CMSG_SPACE(sizeof(struct ucred))];
	struct iovec iov = {&byte, 1};
	struct msghdr header = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control};
	int yes = 1;

	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair) && !pipe(fds));
	CHECK(!setsockopt(pair[1], SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes));
	header.msg_controllen = CMSG_SPACE(2 * sizeof(int));
	struct cmsghdr *c = CMSG_FIRSTHDR(&header);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(2 * sizeof(int));
	memcpy(CMSG_DATA(c), fds, sizeof fds);
	EQUAL(sendmsg(pair[0], &header, 0), 1);

	memset(control, 0, sizeof control);
	header.msg_controllen = sizeof control;
	byte = 0;
	EQUAL(recvmsg(pair[1], &header, 0), 1);
	EQUAL(byte, 'b');
	int rights = 0, credentials = 0, received[2] = {-1, -1};
	for (c = CMSG_FIRSTHDR(&header); c; c = CMSG_NXTHDR(&header, c)) {
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
			EQUAL(c->cmsg_len, CMSG_LEN(2 * sizeof(int)));
			memcpy(received, CMSG_DATA(c), sizeof received);
			rights++;
		}
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS) {
			struct ucred cred;
			memcpy(&cred, CMSG_DATA(c), sizeof cred);
			CHECK(cred.pid == getpid() && cred.uid == getuid() && cred.gid == getgid());
			credentials++;
		}
	}
	EQUAL(rights, 1);
	EQUAL(credentials, 1);
	CHECK(write(received[1], "through", 7) == 7);
	char text[8] = "";
	CHECK(read(fds[0], text, 7) == 7);
	TEXT(text, "through");
	for (int i = 0; i < 2; i++) {
		close(pair[i]);
		close(fds[i]);
		close(received[i]);
	}
}

static void internet(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)},
			   peer;
	socklen_t length = sizeof address;
	int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
	    client = socket(AF_INET, SOCK_STREAM, 0);

	CHECK(server >= 0 && client >= 0);
	CHECK(!bind(server, (void *)&address, sizeof address) && !listen(server, 1));
	CHECK(!getsockname(server, (void *)&address, &length) && length == sizeof address &&
	      address.sin_port);
	CHECK(!connect(client, (void *)&address, sizeof address));
	length = sizeof peer;
	int connection = accept4(server, (void *)&peer, &length, SOCK_NONBLOCK);
	CHECK(connection >= 0 && peer.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
	CHECK(fcntl(connection, F_GETFL) & O_NONBLOCK);
	char buffer[16];
	CHECK(recv(connection, buffer, 16, 0) == -1 && errno == EAGAIN);
	CHECK(send(client, "hello", 5, MSG_NOSIGNAL) == 5);
	while (recv(connection, buffer, 16, MSG_PEEK) == -1 && errno == EAGAIN)
		usleep(1000);
	EQUAL(recv(connection, buffer, 16, 0), 5);

	int yes = 1;
	CHECK(!setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes));
	struct timeval wait = {0, 30000}, back = {9, 9};
	CHECK(!setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait));
	length = sizeof back;
	CHECK(!getsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &back, &length) && back.tv_sec == 0);
	CHECK(back.tv_usec >= 30000 && back.tv_usec < 50000);
	CHECK(recv(client, buffer, 1, 0) == -1 && errno == EAGAIN);
	CHECK(!shutdown(connection, SHUT_WR));
	EQUAL(recv(client, buffer, 1, 0), 0);
	close(server);
	close(client);
	close(connection);

	/* Datagrams with the time of arrival, several in one call. */
	int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0);
	address.sin_port = 0;
	CHECK(!bind(a, (void *)&address, sizeof address));
	length = sizeof address;
	CHECK(!getsockname(a, (void *)&address, &length));
	CHECK(!setsockopt(a, SOL_SOCKET, SO_TIMESTAMP, &yes, sizeof yes));
	struct iovec one[2] = {{"first", 5}, {"second!", 7}};
	struct mmsghdr out[2] = {{.msg_hdr = {.msg_name = &address,
					      .msg_namelen = sizeof address,
					      .msg_iov = &one[0],
					      .msg_iovlen = 1}},
				 {.msg_hdr = {.msg_name = &address,
					      .msg_namelen = sizeof address,
					      .msg_iov = &one[1],
					      .msg_iovlen = 1}}};
	EQUAL(sendmmsg(b, out, 2, 0), 2);
	EQUAL(out[1].msg_len, 7);
	char control[128];
	struct iovec in = {buffer, sizeof buffer};
	struct msghdr header = {.msg_name = &peer,
				.msg_namelen = sizeof peer,
				.msg_iov = &in,
				.msg_iovlen = 1,
				.msg_control = control,
				.msg_controllen = sizeof control};
	EQUAL(recvmsg(a, &header, 0), 5);
	EQUAL(header.msg_namelen, sizeof peer);
	struct cmsghdr *c = CMSG_FIRSTHDR(&header);
	struct timeval stamp = {0, 0};
	for (; c; c = CMSG_NXTHDR(&header, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMP)
			memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
	CHECK(recent(stamp.tv_sec));
	struct mmsghdr got = {.msg_hdr = {.msg_iov = &in, .msg_iovlen = 1}};
	struct timespec limit = {1, 0};
	EQUAL(recvmmsg(a, &got, 1, 0, &limit), 1);
	EQUAL(got.msg_len, 7);
	CHECK(!memcmp(buffer, "second!", 7));
	close(a);
	close(b);
}

int main(void)
{
	semaphores();
	messages();
	memory();
	descriptors();
	internet();
	return checks_end();
}
