import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

// In development the API is mcbk itself, started by the sandbox (`make dev`).
const backend = process.env.MCBK_URL ?? 'http://localhost:8080';

type Graph = { getModuleInfo(id: string): { isEntry: boolean; importers: readonly string[] } | null };

/** Whether the entry imports a module, be it through others: the first screen waits for it. */
function isFirst(id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const info = graph.getModuleInfo(id);
  return info !== null && (info.isEntry || info.importers.some((one) => isFirst(one, graph, seen)));
}

/** The page shows its splash before anything else has come: the wordmark stands in it, and stylesheets come below it. */
const splash: Plugin = {
  name: 'splash',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const wordmark = readFileSync(`${import.meta.dirname}/src/art/wordmark.svg`, 'utf8');
      const sheets: string[] = [];
      return html
        .replace(/\s*<link rel="stylesheet"[^>]*>/g, (sheet) => {
          sheets.push(sheet);
          return '';
        })
        .replace('<!-- wordmark -->', () => wordmark)
        .replace('\n  </body>', () => `${sheets.join('')}\n  </body>`);
    },
  },
};

/** A class of a stylesheet: its name and a mark of the sheet. Vite's own names are longer, and make the first screen 1 kB heavier. */
function classOf(name: string, sheet: string): string {
  const path = relative(import.meta.dirname, sheet);
  return `_${name}_${createHash('sha256').update(path).digest('hex').slice(0, 4)}`;
}

export default defineConfig(({ mode }) => ({
  plugins: [react(), splash],
  css: { modules: { generateScopedName: classOf } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    emptyOutDir: true,
    license: { fileName: 'licences.md' }, // of what the files contain; many want their text beside them
    // kB before compression; e2e/weight.spec.ts weighs what is sent.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // The tests look at the gallery too, as it would be built.
      input: mode === 'gallery' ? 'gallery.html' : 'index.html',
      output: {
        // V8 compiles what is fetched ahead when it comes, not when a tap first calls it; connector is large and for few.
        postBanner: ({ isEntry, name }) =>
          isEntry || name === 'connector' ? '' : '//# allFunctionsCalledOnLoad',
        // In one file it compresses best; cut up by who else needs each part, it is some 8 kB more.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ debugName: 'first', name: (id, graph) => (isFirst(id, graph) ? 'first' : null) }],
        },
      },
    },
  },
  server: { proxy: { '/api': backend, '/tonconnect-manifest.json': backend } },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    globalSetup: 'src/testing/globalSetup.ts',
    setupFiles: 'src/testing/setup.ts',
    testTimeout: 20_000,
    maxWorkers: '100%', // otherwise one core stays idle
    // From 25 on Node has a storage of its own, and jsdom's would not take its place.
    execArgv: Number.parseInt(process.versions.node, 10) >= 25 ? ['--no-webstorage'] : [],
  },
}));
