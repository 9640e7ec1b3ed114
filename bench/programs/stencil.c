/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Himeno-like: Jacobi iterations for the pressure of a Poisson equation with variable coefficients, a stencil of
 * 19 points in single precision: stencil s|m ITERATIONS. Sizes S (64 x 64 x 128) and M (128 x 128 x 256).
 */
#include "bench.h"

struct grid {
	size_t ni, nj, nk;
	float *p, *next, *source, *mask;
	float *a[4], *b[3], *c[3];
};

static float *filled(const struct grid *g, float value)
{
	size_t count = g->ni * g->nj * g->nk;
	float *f = malloc(count * sizeof(*f));

	if (!f) {
		fprintf(stderr, "stencil: no memory\n");
		exit(1);
	}
	for (size_t i = 0; i < count; i++)
		f[i] = value;
	return f;
}

static void prepare(struct grid *g)
{
	for (int i = 0; i < 4; i++)
		g->a[i] = filled(g, i < 3 ? 1.0F : 1.0F / 6.0F);
	for (int i = 0; i < 3; i++) {
		g->b[i] = filled(g, 0.0F);
		g->c[i] = filled(g, 1.0F);
	}
	g->p = filled(g, 0.0F);
	g->next = filled(g, 0.0F);
	g->source = filled(g, 0.0F);
	g->mask = filled(g, 1.0F);
	for (size_t i = 0; i < g->ni; i++) {
		float x = (float)i / (float)(g->ni - 1);

		for (size_t n = 0; n < g->nj * g->nk; n++)
			g->p[i * g->nj * g->nk + n] = x * x;
	}
}

/* One sweep; the sum of squares of the residues. */
static float sweep(struct grid *g, float omega)
{
	const size_t di = g->nj * g->nk, dj = g->nk;
	const float *restrict p = g->p;
	float residue = 0.0F;

	for (size_t i = 1; i + 1 < g->ni; i++) {
		for (size_t j = 1; j + 1 < g->nj; j++) {
			for (size_t k = 1; k + 1 < g->nk; k++) {
				size_t n = i * di + j * dj + k;
				float s = g->a[0][n] * p[n + di] + g->a[1][n] * p[n + dj] +
					  g->a[2][n] * p[n + 1];

				s += g->b[0][n] * (p[n + di + dj] - p[n + di - dj] -
						   p[n - di + dj] + p[n - di - dj]);
				s += g->b[1][n] * (p[n + dj + 1] - p[n - dj + 1] - p[n + dj - 1] +
						   p[n - dj - 1]);
				s += g->b[2][n] * (p[n + di + 1] - p[n - di + 1] - p[n + di - 1] +
						   p[n - di - 1]);
				s += g->c[0][n] * p[n - di] + g->c[1][n] * p[n - dj] +
				     g->c[2][n] * p[n - 1] + g->source[n];
				s = (s * g->a[3][n] - p[n]) * g->mask[n];
				residue += s * s;
				g->next[n] = p[n] + omega * s;
			}
		}
	}
	for (size_t i = 1; i + 1 < g->ni; i++) {
		for (size_t j = 1; j + 1 < g->nj; j++) {
			for (size_t k = 1; k + 1 < g->nk; k++) {
				size_t n = i * di + j * dj + k;

				g->p[n] = g->next[n];
			}
		}
	}
	return residue;
}

int main(int argc, char **argv)
{
	int medium = argc > 1 && argv[1][0] == 'm';
	struct grid g = {
		.ni = medium ? 128 : 64, .nj = medium ? 128 : 64, .nk = medium ? 256 : 128};
	float residue = 0.0F;

	prepare(&g);
	for (unsigned n = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1; n > 0; n--)
		residue = sweep(&g, 0.8F);
	/* Later digits differ where a compiler fuses multiplication and addition. */
	printf("%.1e\n", (double)residue);
	return 0;
}
