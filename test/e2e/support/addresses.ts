/** The addresses of the page. */

/** Every page with its tabs, without those of a single thing and without the settings of the desktop. */
export const pageAddresses = [
  '#/home',
  '#/run',
  '#/jobs',
  '#/endpoints',
  '#/pods',
  '#/terminals',
  '#/machine',
  '#/gpus',
  '#/resources',
  '#/resources/volumes',
  '#/resources/images',
  '#/resources/registries',
  '#/billing',
  '#/accounts',
  '#/accounts/this-machine',
  '#/settings',
  '#/settings/storage',
  '#/settings/keys',
  '#/settings/limits',
  '#/settings/ssh',
] as const;
