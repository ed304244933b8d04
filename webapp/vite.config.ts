import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// In development the API is mcbk itself, started by the sandbox (`make dev`).
const backend = process.env.MCBK_URL ?? 'http://localhost:8080';

export default defineConfig(({ mode }) => ({
  plugins: [react()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    emptyOutDir: true,
    // The tests look at the gallery too, as it would be built.
    rolldownOptions: { input: mode === 'gallery' ? 'gallery.html' : 'index.html' },
  },
  server: { proxy: { '/api': backend, '/tonconnect-manifest.json': backend } },
  test: { environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'] },
}));
