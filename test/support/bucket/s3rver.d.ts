/** The parts of the S3 server of the tests that they use. The package has no types of its own. */
declare module '@20minutes/s3rver' {
  import type { Server } from 'node:http';

  interface S3rverOptions {
    address: string;
    port: number;
    silent: boolean;
    directory: string;
    vhostBuckets: boolean;
    configureBuckets: readonly { name: string }[];
    key?: string;
    cert?: string;
  }
  export default class S3rver {
    constructor(options: S3rverOptions);
    /** The server, while it runs. */
    readonly httpServer: Server;
    run(): Promise<{ address: string; port: number }>;
  }
}

declare module '@20minutes/s3rver/lib/models/account.js' {
  const accounts: { DUMMY_ACCOUNT: { createKeyPair(accessKeyId: string, secretAccessKey: string): void } };
  export default accounts;
}
