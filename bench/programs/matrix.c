/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Double-precision matrix product, 128 x 128. */
#include "bench.h"

#define N 128
static double a[N][N], b[N][N], c[N][N];

int main(int argc, char **argv)
{
	double sum = 0;

	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++)
			a[i][j] = i + j, b[i][j] = i - j;
	}
	for (unsigned r = rounds(argc, argv); r > 0; r--) {
		for (int i = 0; i < N; i++) {
			for (int j = 0; j < N; j++) {
				double s = 0;

				for (int k = 0; k < N; k++)
					s += a[i][k] * b[k][j];
				c[i][j] = s;
			}
		}
		sum += c[r % N][3];
		a[0][0] += 1;
	}
	return finish((uint64_t)(int64_t)sum);
}
