/** All pages with their titles and keys: for the page itself, and for the menu of a host. */

export interface PageFacts {
  /** Its heading, and its name in the sidebar, the menu, the palette and the sheet of shortcuts. */
  readonly title: string;
  /** Keys that open it from anywhere, such as `Mod+,`; null for none. A spec refuses keys that have another use. */
  readonly key: string | null;
}

/** In the order of the sidebar; the names are the names of the page's routes. */
export const pageFacts = {
  home: { title: 'Home', key: 'Mod+Shift+H' },
  run: { title: 'Run', key: 'Mod+1' },
  jobs: { title: 'Jobs', key: 'Mod+2' },
  endpoints: { title: 'Endpoints', key: 'Mod+3' },
  pods: { title: 'Pods', key: 'Mod+4' },
  terminals: { title: 'Terminals', key: 'Mod+5' },
  machine: { title: 'This computer', key: 'Mod+6' },
  gpus: { title: 'GPU prices', key: 'Mod+7' },
  resources: { title: 'Resources', key: 'Mod+8' },
  billing: { title: 'Billing', key: 'Mod+9' },
  accounts: { title: 'Accounts', key: 'Mod+Shift+U' },
  settings: { title: 'Settings', key: 'Mod+,' },
} as const satisfies Record<string, PageFacts>;
