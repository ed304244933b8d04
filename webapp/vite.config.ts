import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// In development the API is mcbk itself, started by the sandbox (`make dev`).
const backend = process.env.MCBK_URL ?? 'http://localhost:8080';

export default defineConfig({
  plugins: [react()],
  build: { target: 'es2022', assetsInlineLimit: 0, emptyOutDir: true },
  server: { proxy: { '/api': backend, '/tonconnect-manifest.json': backend } },
  test: { environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'] },
});
