/** The commands within a sentence of advice, so that they can be copied. */

/** What installs, starts or allows something; whatever else stands in a sentence is not taken for a command. */
const programs = ['apt-get', 'apt', 'dnf', 'brew', 'usermod', 'systemctl', 'modprobe', 'docker', 'podman'].join('|');
const command = new RegExp(
  `(?<![\\w-])((?:sudo )?(?:${programs}) [a-z-][^,;()\`"\\n]*?)(?=[,;()\`"\\n]|\\.(?:\\s|$)|\\s(?:and|or|then)\\s|$)`,
  'g',
);

export const commandsIn = (advice: string): string[] => [...advice.matchAll(command)].map(([, text]) => text ?? '');
