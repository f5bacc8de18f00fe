import { defineConfig } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** An exception to a rule is fine when it says why: `// eslint-disable-next-line rule -- reason`. */
const exceptionsGiveReasons = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { reason: 'Say why: `eslint-disable… rule -- the reason`.' },
  },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const exception = /^\s*eslint-disable(?:-next-line|-line)?\b/.test(comment.value);
        if (exception && !/\s--\s+\S/.test(comment.value)) {
          context.report({ loc: comment.loc, messageId: 'reason' });
        }
      }
    },
  }),
};

/** What rules may not reach for themselves: time, chance and output come in through ports, so that tests can hold them. */
const PURE = ['main/contract/**/*.ts', 'main/engine/domain/**/*.ts'];
const throughAPort = 'Rules are pure: this comes in through a port (see engine/domain/ports.ts).';
const impureGlobals = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'performance',
  'crypto',
  'console',
  'process',
  'fetch',
].map((name) => ({ name, message: throughAPort }));
const impureProperties = [
  ['Date', 'now'],
  ['Math', 'random'],
].map(([object, property]) => ({ object, property, message: throughAPort }));

export default defineConfig(
  { ignores: ['out/', 'dist/', 'test-results/', 'playwright-report/', 'bench-results/', '**/*.d.ts'] },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { hangar: { rules: { 'exceptions-give-reasons': exceptionsGiveReasons } } },
    rules: {
      'hangar/exceptions-give-reasons': 'error',
      'max-lines': ['error', 400],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-debugger': 'error',
      'no-else-return': 'error',
      'no-empty': 'error',
      'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
      'no-fallthrough': 'error',
      'no-self-compare': 'error',
      'no-unsafe-finally': 'error',
      'no-useless-catch': 'error',
      'no-useless-escape': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['**/*.{ts,tsx}', 'scripts/**/*.mjs'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Answers from outside are checked at run time, which types that promise too much call needless.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // An async function without await is how an interface that returns promises is kept when nothing has to be awaited.
      '@typescript-eslint/require-await': 'off',
      // Objects here are closures made by a "create" function: their methods have no `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      // An index that the line before has checked still reads as possibly undefined; `!` says that it was checked.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-generated-empty-object-type': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // A fifth of all linting time, for classes, of which there are few.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // A tenth of all linting time, for enums, which the compiler refuses here (`erasableSyntaxOnly`).
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/unified-signatures': 'off',
    },
  },
  {
    files: ['main/**/*.ts', 'preload/**/*.ts', 'renderer/**/*.{ts,tsx}'],
    rules: { 'no-console': 'error' },
  },
  {
    files: PURE,
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-globals': ['error', ...impureGlobals],
      'no-restricted-properties': ['error', ...impureProperties],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: throughAPort },
      ],
    },
  },
  {
    files: ['renderer/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    // Speaks of libraries the React compiler has to skip; the compiler is not used here.
    rules: { 'react-hooks/incompatible-library': 'off' },
  },
  {
    // Types of these files stand in comments, which this rule does not read; the compiler does.
    files: ['scripts/**/*.mjs'],
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
  {
    // A test reads foreign JSON and asserts on it in the next line: the assertion is the check.
    files: ['test/**/*.ts', '**/*.spec.{ts,tsx}'],
    rules: {
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-implied-eval': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // Example handlers and the harness are programs of their own, outside every tsconfig.
    files: ['**/*.{js,cjs,mjs}'],
    ignores: ['scripts/**'],
    extends: [tseslint.configs.disableTypeChecked],
  },
);
