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
  py: 'Python',
  python3: 'Python',
  ipython: 'Python',
  ipython3: 'Python',
  js: 'JavaScript',
  jsx: 'JavaScript',
  mjs: 'JavaScript',
  node: 'JavaScript',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  jsonc: 'JSON',
  json5: 'JSON',
  yml: 'YAML',
  docker: 'Dockerfile',
  golang: 'Go',
  rs: 'Rust',
  cpp: 'C++',
  cuda: 'C++',
  cu: 'C++',
  xml: 'HTML',
  svg: 'HTML',
  patch: 'diff',
};
const names = new Map<string, CodeLanguage>([
  ...Object.entries(otherNames),
  ...codeLanguages.map((language) => [language.toLowerCase(), language] as const),
]);

/** The language that is named at the start of a Markdown block of code, such as `python title="a"`; null for an unknown one. */
export const languageNamed = (info: string | undefined): CodeLanguage | null =>
  names.get(/^[^\s,{:]*/.exec(info ?? '')?.[0].toLowerCase() ?? '') ?? null;
