/** The types of accounts that a person can add: initial values of their fields, and required fields. */
import type { AccountPreset } from '#contract/bridge/account.ts';

/** Addresses as their owners publish them. */
export const presets: readonly AccountPreset[] = [
  {
    id: 'runpod',
    title: 'RunPod',
    about: 'GPUs of the cloud. Everything that runs there costs money.',
    kind: 'cloud',
    dialect: 'v2',
    addresses: {
      jobs: 'https://api.runpod.ai/v2',
      management: 'https://api.runpod.io/v2',
      graphql: 'https://api.runpod.io/graphql',
    },
    fields: [
      { area: 'jobs', label: 'Jobs', required: true },
      { area: 'management', label: 'REST', required: true },
      { area: 'graphql', label: 'GraphQL', required: false },
    ],
    keyHint: 'Create an API key in the settings of the RunPod console. Hangar can do there only what the key allows.',
  },
  {
    id: 'addresses',
    title: 'Another service with this API',
    about:
      'A service with the job API, REST v1 or v2, and GraphQL at its own addresses. What runs there may cost money.',
    kind: 'cloud',
    dialect: 'v1',
    addresses: { jobs: null, management: null, graphql: null },
    fields: [
      { area: 'jobs', label: 'Jobs', required: true },
      { area: 'management', label: 'REST', required: true },
      { area: 'graphql', label: 'GraphQL', required: false },
    ],
    keyHint: 'Create an API key on the site of the service.',
  },
  {
    id: 'engine',
    title: 'An engine on another machine',
    about:
      'Hangar on another computer, with its workers, logs, files and terminals. What runs there costs only electricity.',
    kind: 'engine',
    dialect: 'v1',
    addresses: { jobs: null, management: null, graphql: null },
    fields: [{ area: 'jobs', label: 'Address', required: true }],
    keyHint:
      'Paste the pairing link of the other computer. It is made there: Settings, Keys, "Pair another computer", or "hangar keys pair". Or enter the address and an API key.',
  },
];
