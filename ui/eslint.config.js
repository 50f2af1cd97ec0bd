// Rules that find mistakes; the form of the text is prettier's.

import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import globals from "globals";
import tseslint from "typescript-eslint";

export default defineConfig(
  globalIgnores(["dist/", "src/generated/"]),
  js.configs.recommended,
  tseslint.configs.recommended,
  {
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  // Its functions run in Node.js, what they pass to the page in the browser.
  { files: ["e2e/**"], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
);
