/** The languages whose code has colours, by the names that authors of Markdown and notebooks give them. */

export const codeLanguages = [
  'curl',
  'Python',
  'JavaScript',
  'TypeScript',
  'JSON',
  'YAML',
  'TOML',
  'Dockerfile',
  'SQL',
  'Go',
  'Rust',
  'C',
  'C++',
  'Java',
  'HTML',
  'CSS',
  'diff',
] as const;
/** `curl`: a shell in which the commands are. */
export type CodeLanguage = (typeof codeLanguages)[number];

/** Other names in use, in lower case. */
const otherNames: Readonly<Record<string, CodeLanguage>> = {
  bash: 'curl',
  console: 'curl',
  sh: 'curl',
  shell: 'curl',
  zsh: 'curl',
  env: 'curl',
  py: 'Python',
  pyi: 'Python',
  pyw: 'Python',
  python3: 'Python',
  ipython: 'Python',
  ipython3: 'Python',
  js: 'JavaScript',
  jsx: 'JavaScript',
  mjs: 'JavaScript',
  node: 'JavaScript',
  cjs: 'JavaScript',
  ts: 'TypeScript',
  mts: 'TypeScript',
  tsx: 'TypeScript',
  jsonc: 'JSON',
  json5: 'JSON',
  jsonl: 'JSON',
  ndjson: 'JSON',
  geojson: 'JSON',
  ipynb: 'JSON',
  yml: 'YAML',
  docker: 'Dockerfile',
  golang: 'Go',
  rs: 'Rust',
  h: 'C',
  cc: 'C++',
  cxx: 'C++',
  hpp: 'C++',
  cpp: 'C++',
  cuda: 'C++',
  cu: 'C++',
  xml: 'HTML',
  htm: 'HTML',
  svg: 'HTML',
  patch: 'diff',
};
const names = new Map<string, CodeLanguage>([
  ...Object.entries(otherNames),
  ...codeLanguages.map((language) => [language.toLowerCase(), language] as const),
]);

/**
 * The language that is named at the start of a Markdown block of code, such as `python title="a"`; null for an unknown
 * one.
 */
export const languageNamed = (info: string | undefined): CodeLanguage | null =>
  names.get(/^[^\s,{:]*/.exec(info ?? '')?.[0].toLowerCase() ?? '') ?? null;

/** Names of files whose language the name tells without an extension, or before it, in lower case. */
const fileNames: readonly [RegExp, CodeLanguage][] = [
  [/^(?:dockerfile|containerfile)(?:\.|$)/, 'Dockerfile'],
  [/^\.env(?:\.|$)/, 'curl'],
  [/^\.?(?:bashrc|bash_profile|bash_aliases|profile|zshrc|zprofile)$/, 'curl'],
];

/** The language of a file by its name; null for an unknown one. */
export function languageOfFile(name: string): CodeLanguage | null {
  const lower = name.toLowerCase();
  const known = fileNames.find(([pattern]) => pattern.test(lower));
  if (known) return known[1];
  const dot = lower.lastIndexOf('.');
  return dot === -1 ? null : languageNamed(lower.slice(dot + 1));
}
