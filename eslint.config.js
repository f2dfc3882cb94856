/**
 * Promises that nobody waits for. Biome has the same rule, but does not see the types of Node's own modules: a forgotten
 * `await` before `assert.rejects`, `once` or a call of `node:fs/promises` would pass. Biome checks everything else.
 */
import { join } from 'node:path';
import tseslint from 'typescript-eslint';

/** Node's runner waits for its tests by itself. */
const TESTS = { from: 'package', package: 'node:test', name: ['test', 'it', 'describe', 'suite'] };

const promisesOf = (project, files) => ({
  files,
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: { project: join(import.meta.dirname, project), tsconfigRootDir: import.meta.dirname },
  },
  linterOptions: { reportUnusedDisableDirectives: 'error' },
  plugins: { '@typescript-eslint': tseslint.plugin },
  rules: {
    '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [TESTS] }],
    '@typescript-eslint/no-misused-promises': 'error',
  },
});
/** Without type annotations the parameters of plain JavaScript say too little about what a callback may return. */
const plainJavaScript = { files: ['**/*.js'], rules: { '@typescript-eslint/no-misused-promises': 'off' } };

export default [
  // consumer.ts is compiled against the built package, which is not here.
  { ignores: ['**/dist/', 'test/clients/runtimes/consumer.ts'] },
  promisesOf('tsconfig.lint.json', ['{src,sandbox,test,bench,scripts}/**/*.ts', '{bin,sandbox}/**/*.js']),
  promisesOf('clients/typescript/tsconfig.json', ['clients/typescript/src/**/*.ts']),
  promisesOf('dashboard/tsconfig.json', ['dashboard/src/**/*.{ts,tsx}']),
  plainJavaScript,
];
