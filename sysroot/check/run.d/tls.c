/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Thread-local storage: the program's own block, a library's, one that dlopen adds while threads run. */
#include "check.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>

__thread int program_counter = 123;
__thread int zeroed;
__thread long long aligned __attribute__((aligned(32))) = 0x1122334455667788;
__thread char tail[5] = "tail";

static void *look(void *arg)
{
	EQUAL(program_counter, 123);
	EQUAL(zeroed, 0);
	CHECK(aligned == 0x1122334455667788);
	EQUAL((uintptr_t)&aligned % 32, 0);
	TEXT(tail, "tail");
	program_counter = *(int *)arg;
	errno = *(int *)arg;
	zeroed++;
	tail[0] = 'x';
	EQUAL(errno, *(int *)arg);
	return &program_counter;
}

static void threads(void)
{
	pthread_t id[4];
	int number[4];
	void *address;

	for (int i = 0; i < 4; i++) {
		number[i] = 1000 + i;
		CHECK(!pthread_create(&id[i], NULL, look, &number[i]));
	}
	for (int i = 0; i < 4; i++) {
		CHECK(!pthread_join(id[i], &address));
		CHECK(address != (void *)&program_counter);
	}
	EQUAL(program_counter, 123);
	EQUAL(zeroed, 0);
}

#ifdef WITH_DLOPEN
static pthread_barrier_t barrier;
static int (*next)(void), (*fresh)(void);

/* This thread is older than the module. */
static void *older(void *arg)
{
	(void)arg;
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	EQUAL(fresh(), 0);
	EQUAL(next(), 50);
	EQUAL(next(), 52);
	return NULL;
}

static void *younger(void *arg)
{
	(void)arg;
	EQUAL(fresh(), 0);
	EQUAL(next(), 50);
	return NULL;
}

static void module(const char *path)
{
	pthread_t id;

	pthread_barrier_init(&barrier, NULL, 2);
	CHECK(!pthread_create(&id, NULL, older, NULL));
	pthread_barrier_wait(&barrier);
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		printf("dlopen: %s\n", dlerror());
		exit(1);
	}
	*(void **)&next = dlsym(handle, "module_next");
	*(void **)&fresh = dlsym(handle, "module_fresh");
	int *(*address)(void), (*sees)(void), (*constructed)(void);
	*(void **)&address = dlsym(handle, "module_counter_address");
	*(void **)&sees = dlsym(handle, "module_sees_program");
	*(void **)&constructed = dlsym(handle, "module_constructed");
	CHECK(next && fresh && address && sees && constructed);
	EQUAL(constructed(), 1);
	EQUAL(sees(), 123);
	CHECK(dlsym(handle, "module_counter") == address());
	EQUAL(fresh(), 0);
	EQUAL(next(), 50);
	pthread_barrier_wait(&barrier);
	CHECK(!pthread_join(id, NULL));
	CHECK(!pthread_create(&id, NULL, younger, NULL));
	CHECK(!pthread_join(id, NULL));
	EQUAL(next(), 52);

	Dl_info info;
	CHECK(dladdr((void *)next, &info) && !strcmp(info.dli_sname, "module_next"));
	CHECK(!dlsym(handle, "no_such_symbol"));
	CHECK(strstr(dlerror(), "no_such_symbol"));
	CHECK(!dlclose(handle));
	CHECK(!dlopen("/no/such/library.so", RTLD_NOW));
	CHECK(dlerror() && !dlerror());
}
#endif

int main(int argc, char **argv)
{
	threads();
	if (argc > 1) {
#ifdef WITH_DLOPEN
		module(argv[1]);
#else
		(void)argv;
		return 2;
#endif
	}
	return checks_end();
}
