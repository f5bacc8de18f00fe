/**
 * What the linter checks. It reads types with the native compiler, so that rules about promises and `any` hold as well.
 */
import { defineConfig } from 'oxlint';

/**
 * What rules may not reach for themselves: time, chance and output come in through ports, so that tests can hold them.
 */
const PURE = ['main/contract/**/*.ts', 'main/engine/domain/**/*.ts'];
const SPECS = ['**/*.spec.ts', '**/*.spec.tsx'];
const CODE = ['main/**/*.ts', 'preload/**/*.ts', 'renderer/**/*.ts', 'renderer/**/*.tsx'];

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
  { object: 'Date', property: 'now', message: throughAPort },
  { object: 'Math', property: 'random', message: throughAPort },
];

/** What a page lacks that comes over plain http from another computer. */
const secureContextProperties = [
  { object: 'crypto', property: 'randomUUID', message: 'Use newId (renderer/client/newId.ts).' },
  { object: 'navigator', property: 'clipboard', message: 'Use copyText (renderer/ui/clipboard/copyText.ts).' },
];

export default defineConfig({
  ignorePatterns: ['out/', 'dist/', 'test-results/', 'playwright-report/', 'bench-results/', '**/*.d.ts'],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error', denyWarnings: true },
  plugins: ['typescript', 'react'],
  jsPlugins: ['./scripts/testing/lintRules.mjs'],
  // Every rule is named below: a new version of the linter does not change what is checked.
  categories: { correctness: 'off' },
  rules: {
    'hangar/exceptions-give-reasons': 'error',
    'hangar/no-spread-literals': 'error',
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
  overrides: [
    {
      files: ['**/*.ts', '**/*.tsx', 'scripts/**/*.mjs'],
      rules: {
        'no-array-constructor': 'error',
        'no-unused-expressions': 'error',
        'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
        'no-useless-constructor': 'error',
        'typescript/await-thenable': 'error',
        'typescript/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
        'typescript/no-array-delete': 'error',
        'typescript/no-base-to-string': 'error',
        'typescript/no-deprecated': 'error',
        'typescript/no-duplicate-type-constituents': 'error',
        'typescript/no-dynamic-delete': 'error',
        'typescript/no-empty-object-type': 'error',
        'typescript/no-explicit-any': 'error',
        'typescript/no-extra-non-null-assertion': 'error',
        'typescript/no-extraneous-class': 'error',
        'typescript/no-floating-promises': 'error',
        'typescript/no-for-in-array': 'error',
        'typescript/no-implied-eval': 'error',
        'typescript/no-meaningless-void-operator': 'error',
        'typescript/no-misused-new': 'error',
        'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
        'typescript/no-misused-spread': 'error',
        'typescript/no-namespace': 'error',
        'typescript/no-non-null-asserted-nullish-coalescing': 'error',
        'typescript/no-non-null-asserted-optional-chain': 'error',
        'typescript/no-redundant-type-constituents': 'error',
        'typescript/no-require-imports': 'error',
        'typescript/no-this-alias': 'error',
        'typescript/no-unnecessary-boolean-literal-compare': 'error',
        'typescript/no-unnecessary-template-expression': 'error',
        'typescript/no-unnecessary-type-arguments': 'error',
        'typescript/no-unnecessary-type-assertion': 'error',
        'typescript/no-unnecessary-type-constraint': 'error',
        'typescript/no-unnecessary-type-conversion': 'error',
        'typescript/no-unsafe-argument': 'error',
        'typescript/no-unsafe-assignment': 'error',
        'typescript/no-unsafe-call': 'error',
        'typescript/no-unsafe-declaration-merging': 'error',
        'typescript/no-unsafe-function-type': 'error',
        'typescript/no-unsafe-member-access': 'error',
        'typescript/no-unsafe-return': 'error',
        'typescript/no-unsafe-unary-minus': 'error',
        'typescript/no-useless-default-assignment': 'error',
        'typescript/no-wrapper-object-types': 'error',
        'typescript/only-throw-error': 'error',
        'typescript/prefer-as-const': 'error',
        'typescript/prefer-namespace-keyword': 'error',
        'typescript/prefer-promise-reject-errors': 'error',
        'typescript/prefer-reduce-type-parameter': 'error',
        'typescript/prefer-return-this-type': 'error',
        'typescript/related-getter-setter-pairs': 'error',
        'typescript/restrict-plus-operands': [
          'error',
          {
            allowAny: false,
            allowBoolean: false,
            allowNullish: false,
            allowNumberAndString: false,
            allowRegExp: false,
          },
        ],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
        'typescript/return-await': ['error', 'error-handling-correctness-only'],
        'typescript/triple-slash-reference': 'error',
        'typescript/use-unknown-in-catch-callback-variable': 'error',
      },
    },
    { files: CODE, rules: { 'no-console': 'error' } },
    {
      files: CODE,
      excludeFiles: SPECS,
      rules: {
        'typescript/no-non-null-assertion': 'error',
        'typescript/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      },
    },
    {
      files: [...CODE, 'test/**/*.ts', 'test/**/*.tsx'],
      excludeFiles: SPECS,
      rules: { 'max-lines-per-function': ['error', { max: 120 }] },
    },
    {
      files: PURE,
      excludeFiles: SPECS,
      rules: {
        'no-restricted-globals': ['error', ...impureGlobals],
        'no-restricted-properties': ['error', ...impureProperties],
        'hangar/no-current-date': 'error',
      },
    },
    {
      files: ['renderer/**/*.ts', 'renderer/**/*.tsx'],
      excludeFiles: SPECS,
      rules: { 'no-restricted-properties': ['error', ...secureContextProperties] },
    },
    {
      files: ['renderer/**/*.ts', 'renderer/**/*.tsx'],
      rules: {
        'react/rules-of-hooks': 'error',
        'react/exhaustive-deps': 'error',
        'react/error-boundaries': 'error',
        'react/globals': 'error',
        'react/immutability': 'error',
        'react/preserve-manual-memoization': 'error',
        'react/purity': 'error',
        'react/refs': 'error',
        'react/set-state-in-effect': 'error',
        'react/set-state-in-render': 'error',
        'react/static-components': 'error',
        'react/unsupported-syntax': 'error',
        'react/use-memo': 'error',
        'react/void-use-memo': 'error',
      },
    },
    {
      // Types of these files stand in comments, which this rule does not read; the compiler does.
      files: ['scripts/**/*.mjs'],
      rules: { 'typescript/no-unsafe-assignment': 'off' },
    },
    {
      // A test reads foreign JSON and asserts on it in the next line: the assertion is the check.
      files: ['test/**/*.ts', ...SPECS],
      rules: {
        'typescript/no-base-to-string': 'off',
        'typescript/no-implied-eval': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
      },
    },
  ],
});
