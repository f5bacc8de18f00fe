/** Finds commands in a sentence of advice, so that they can be copied. */

/** Programs that install, start or allow something. Other words of a sentence are no commands. */
const programs = ['apt-get', 'apt', 'dnf', 'brew', 'usermod', 'systemctl', 'modprobe', 'docker', 'podman'].join('|');
const command = new RegExp(
  `(?<![\\w-])((?:sudo )?(?:${programs}) [a-z-][^,;()\`"\\n]*?)(?=[,;()\`"\\n]|\\.(?:\\s|$)|\\s(?:and|or|then)\\s|$)`,
  'g',
);
/** A sentence that ends with its command: "Start it: systemctl start docker." Elsewhere, "service" is a common word. */
const step = new RegExp(
  `(?<=^|\\. )([^.:]+): ((?:sudo )?(?:${programs}|service) [a-z-][^,;:()\`"\\n]*?)\\.(?:\\s+|$)`,
  'g',
);

export const commandsIn = (advice: string): string[] => [...advice.matchAll(command)].map(([, text]) => text ?? '');

export interface AdvisedStep {
  /** What the command is for; null where the text says it. */
  label: string | null;
  command: string;
}

/** The steps of advice with a command, and the text without the sentences of these steps. */
export function readAdvice(advice: string): { text: string; steps: AdvisedStep[] } {
  const steps = [...advice.matchAll(step)].map(([, label = '', text = '']) => ({ label, command: text }));
  const text = advice.replace(step, '').trim();
  return { text, steps: [...steps, ...commandsIn(text).map((line) => ({ label: null, command: line }))] };
}
