import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or fonts
    chunkSizeWarningLimit: 800,
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:3000', '/openapi.json': 'http://127.0.0.1:3000' } },
});
