import { defineConfig } from "vitest/config";
import { viteSingleFile } from "vite-plugin-singlefile";

// One file without any reference to another: the report renderer puts the view model into it.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: {
    target: "es2022",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    chunkSizeWarningLimit: 1500,
  },
  // The labels stand beside those of the program, outside of this directory.
  server: { fs: { allow: [".", "../messages"] } },
  test: { include: ["src/**/*.test.ts"] },
});
