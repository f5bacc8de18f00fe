/** Every number of the description: limits, ranges, defaults, retention. Durations end in `Ms`, sizes in `Bytes`. */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const KIB = 1024;
const MIB = 1024 * KIB;

export const limits = {
  /** Default TCP ports of a host: one for its API, one for its page. */
  usualPorts: { api: 47_800, page: 47_801 },

  /** Largest body of POST /run: 10 MB in the 1024-based sense that clients expect for payloads. */
  runBodyBytes: 10 * MIB,
  /** Largest body of POST /runsync and of a worker's result. */
  runsyncBodyBytes: 20 * MIB,
  /** Largest stream chunk; 1000-based, as clients expect for chunks. Larger ones are split. */
  chunkBytes: 1_000_000,
  /** Largest body of every other route. */
  managementBodyBytes: MIB,

  connection: {
    /** Largest number of open connections, if the system allows as many open files. */
    most: 8192,
    /** The head of a request must arrive within this time. */
    headersMs: 10 * SECOND_MS,
    /** A body may arrive at any speed for `bodyGraceMs`, then at least at this rate in each `bodyWindowMs`. */
    bodyGraceMs: 10 * SECOND_MS,
    bodyWindowMs: 5 * SECOND_MS,
    bodyBytesPerSecond: 4096,
    /** An answer is cut off if its reader takes nothing for this long; twice this time at the latest. */
    unreadMs: 8 * SECOND_MS,
  },

  waitMs: { min: 1 * SECOND_MS, max: 300 * SECOND_MS, default: 90 * SECOND_MS },
  executionTimeoutMs: { min: 5 * SECOND_MS, max: 7 * DAY_MS, default: 10 * MINUTE_MS },
  ttlMs: { min: 10 * SECOND_MS, max: 7 * DAY_MS, default: 24 * HOUR_MS },

  /** How long a finished job can still be read, counted from its end. */
  retentionMs: {
    run: 30 * MINUTE_MS,
    runsync: 1 * MINUTE_MS,
    /** A /runsync whose caller used `wait`. */
    runsyncWithWait: 5 * MINUTE_MS,
  },

  /**
   * Request rates of each operation of an endpoint, per `windowMs` and at the same time. `concurrent: null`: no limit.
   */
  rates: {
    windowMs: 10 * SECOND_MS,
    /** Each running worker allows this many requests per window, if that is more than the number in the table. */
    requestsPerWorker: 50,
    operations: {
      run: { requests: 1000, concurrent: 200 },
      runsync: { requests: 2000, concurrent: 400 },
      status: { requests: 2000, concurrent: 400 },
      stream: { requests: 2000, concurrent: 400 },
      cancel: { requests: 100, concurrent: 20 },
      'purge-queue': { requests: 2, concurrent: null },
      openai: { requests: 2000, concurrent: 400 },
      requests: { requests: 10, concurrent: 2 },
    },
    /** Ranges of the rates in the settings. */
    ranges: {
      requestsPerWorker: { min: 0, max: 1_000_000 },
      requests: { min: 1, max: 10_000_000 },
      concurrent: { min: 1, max: 1_000_000 },
    },
  },

  /** How many jobs a worker may request at once. */
  jobsPerTake: { min: 1, max: 1000 },

  /** How many jobs GET /requests lists. */
  requestsListed: { min: 1, max: 1000, default: 100 },

  /** Longest wait of a reader of the feed of jobs. */
  jobFeedHoldMs: 25_000,

  /** Longest wait of an empty /stream poll. Public SDKs stop reading after 10 s. */
  streamHoldMs: 5 * SECOND_MS,
  /** Interval of the heartbeat on an idle event stream. Without it, proxies and clients treat the stream as dead. */
  eventStreamPulseMs: 15 * SECOND_MS,
  /** Longest wait of a worker's empty job-take. The public worker abandons it after 90 s. */
  takeHoldMs: 30 * SECOND_MS,
  /**
   * Longest wait of an empty job-take or job-stop of a worker that is about to be stopped. The public worker notices
   * its end only between two requests, and has `workerGraceMs` for that.
   */
  retiredHoldMs: SECOND_MS,
  /** A worker is lost if it sends nothing for this long. Its jobs are queued again. */
  workerSilenceMs: 45 * SECOND_MS,
  workerPingMs: 10 * SECOND_MS,
  /** How many times a job is queued again after its worker was lost, before it fails. */
  lostWorkerRetries: 1,
  /** Time between the request to a worker to stop and its kill. */
  workerGraceMs: 5 * SECOND_MS,
  /** The second grace of a worker that did not end within `workerGraceMs`: enough to clean up, not to finish a job. */
  lastGraceMs: 1 * SECOND_MS,
  /**
   * At shutdown the engine is killed after `engineMs`; the program without a window ends after `programMs` in any case.
   */
  stop: { engineMs: 8 * SECOND_MS, programMs: 9.5 * SECOND_MS },

  /**
   * A worker that neither requests a job nor ends in this time is replaced; RUNPOD_INIT_TIMEOUT (seconds) changes it.
   */
  workerInitMs: 7 * 60 * SECOND_MS,
  /** Interval of the checks whether a worker can start after all. */
  startAgainMs: 5 * SECOND_MS,
  /**
   * Wait of an endpoint without a worker for the GPU of one that always has work: loading a model costs many seconds.
   */
  gpuTurnMs: 60 * SECOND_MS,
  /** Shortest interval between two measurements of a worker's usage. A shorter interval measures nothing useful. */
  usageMs: 1 * SECOND_MS,

  /** How many jobs ahead of a waiting one are counted. A count of this many means "at least as many". */
  jobsAheadCounted: 10_000,

  webhook: {
    /** Longest address, in characters. */
    addressLength: 8192,
    /** How many times a call that was not answered 2xx is repeated, and how long after the attempt before. */
    retries: 2,
    gapMs: 10 * SECOND_MS,
    /** One attempt, from looking up the name to the end of the answer. */
    timeoutMs: 10 * SECOND_MS,
    /** How much of a receiver's answer is read, and discarded, before the connection is closed. */
    answerBytes: 64 * KIB,
    /** An attempt that takes this long marks its receiver as slow. */
    slowMs: 5 * SECOND_MS,
    /** Attempts at the same time for one receiver: not known yet, quick, or slow. */
    perReceiver: { new: 1, quick: 16, slow: 4 },
    /**
     * Receivers of each kind wait while this many slots are in use, so that slow receivers always leave room for quick
     * ones. An attempt takes one slot, and one more for each `slotLength` characters that it holds in memory.
     */
    slots: { new: 1536, quick: 2048, slow: 512 },
    slotLength: 64 * KIB,
    /** Attempts that begin in one turn of the event loop. At most one of them goes to a receiver that may hang. */
    startsPerTurn: 4,
    /** How many receivers are remembered with their kind. */
    receiversKnown: 4096,
    /** How long ended deliveries stay listed, and how many. */
    retentionMs: 7 * DAY_MS,
    kept: 10_000,
    /** Payloads of ended deliveries are stored for another send up to this total, in characters or bytes. */
    storedPayloadLength: 256 * MIB,
    /** How many attempts of one delivery are listed: the newest. */
    attemptsKept: 100,
    /** How many deliveries one list has. */
    listed: { min: 1, max: 1000, default: 100 },
  },

  /** Load-balancing endpoints. */
  balancing: {
    /** The port of a worker whose template does not name PORT, and the path of its health check. */
    defaultPort: 80,
    defaultHealthPath: '/ping',
    /** Largest body of a request, and of an answer. */
    bodyBytes: 30 * MIB,
    /** How long a request waits for a worker. A request that is bound to one worker waits longer. */
    workerWaitMs: 2 * MINUTE_MS,
    strictWaitMs: 5 * MINUTE_MS,
    /** How long a request waits for one more worker while all ready workers are too busy. */
    shareWaitMs: 5 * SECOND_MS,
    /** Time from the moment that a worker gets a request to the end of its answer. */
    processingMs: 5.5 * MINUTE_MS,
    /**
     * The end of a worker and of its connection arrive one after the other: the wait for the second, or for an answer.
     */
    lastWordsMs: 2 * SECOND_MS,
    /**
     * How long the second side of a WebSocket may take to close after the first side closed. It is also how long the
     * body of a request that was already answered may continue.
     */
    closingMs: 5 * SECOND_MS,
    /**
     * An idle connection to a worker is closed before the worker closes it, which many servers do after 2 s or more.
     */
    idleConnectionMs: 1500,
    health: {
      /** Interval of the health checks of a starting worker: at first, and after `quickForMs`. */
      quickMs: 100,
      quickForMs: 10 * SECOND_MS,
      startingMs: 1 * SECOND_MS,
      /** Interval of the health checks of a ready worker. */
      readyMs: 5 * SECOND_MS,
      /** An answer that takes longer counts as a failed check. */
      answerMs: 3 * SECOND_MS,
      /** A ready worker is replaced after this many failed checks in a row. */
      failures: 3,
      /** A starting worker is replaced if it answers neither 200 nor 204 within this time. */
      startWithinMs: 8 * MINUTE_MS,
    },
  },

  log: {
    /** Output of workers is stored in files of this size. The oldest are removed when all become too large. */
    segmentBytes: 4 * MIB,
    storedBytes: 64 * MIB,
    /** Longer lines, in characters, are cut and say so. A line of JSON is assembled up to `assembledLength` first. */
    lineLength: 8000,
    assembledLength: 256 * KIB,
    /** Last lines of a worker that are shown when it dies. */
    lastLines: 50,
    /** Lines of one page. */
    listed: { min: 1, max: 1000, default: 200 },
    /** A search for one page examines at most this many lines one by one; the next page continues there. */
    lookedAt: 250_000,
    /** Longest search text, in characters. */
    searchLength: 500,
  },

  /**
   * The timeline of the workers of an endpoint: how many spans, how long they are stored, and how many jobs one span
   * lists. A gap below `gapMs` between two jobs counts as running.
   */
  lanes: { spans: 2000, retentionMs: 6 * HOUR_MS, jobs: 100, gapMs: 100 },

  /**
   * Limits of the store of jobs that were sent from here. By default no job is removed for its age. A cap below `min`
   * could not hold one job with a large input and output. `searchedLength`: how much of an input, and of an output, is
   * searched for text.
   */
  ledger: {
    retentionDays: { min: 1, max: 3650, default: null },
    capBytes: { min: 64 * MIB, max: 4096 * 1024 * MIB, default: 10 * 1024 * MIB },
    searchedLength: 64 * KIB,
    tagLength: 40,
    tags: 10,
  },
  /** `inputs`: jobs of one batch. `bytes`: their bodies together. `atOnce`: its jobs that have not ended. */
  batch: { inputs: 10_000, bytes: 10 * MIB, atOnce: { min: 1, max: 100, default: 4 } },
  registryAuth: { fieldLength: 4096 },
  /** Characters. */
  secret: { nameLength: 191, valueLength: 65_536, descriptionLength: 1000 },
  /** Size of a volume in GB. Nothing enforces it on a folder. */
  volume: { sizeGb: { min: 0, max: 4000 } },

  /** `ports`: `http` and `tcp` ports together. `retentionMs`: how long a deleted Pod stays visible as TERMINATED. */
  pod: {
    nameLength: 191,
    imageLength: 1024,
    ports: 20,
    diskGb: { min: 0, max: 100_000, container: 50, volume: 20 },
    memoryGb: { min: 0, max: 100_000 },
    stopGraceMs: 10 * SECOND_MS,
    retentionMs: 1 * HOUR_MS,
    /**
     * Restarts of a Pod whose container ended by itself or could not be made: the first after `firstMs`, each later one
     * after twice as long, up to `mostMs`. The delay starts anew at `firstMs` once the container has run for `calmMs`.
     */
    again: { firstMs: 1 * SECOND_MS, mostMs: 5 * MINUTE_MS, calmMs: 1 * MINUTE_MS },
  },

  /**
   * Limits of GraphQL. `depth` and `cost` limit one operation: `depth` its nested selections, `cost` its fields, where
   * the fields of a list count `listed` times. The other limits bound the time of validation, which grows with the
   * square of repeated parts: tokens, fields and fragments, and fields with selections under one response name.
   * `introspection`: the cost of a query for the schema, independent of its size.
   */
  graphql: {
    queryBytes: 256 * KIB,
    tokens: 20_000,
    fields: 1000,
    fragments: 40,
    sameName: 50,
    depth: 12,
    cost: 5000,
    listed: 10,
    introspection: 1000,
    /** How many validated documents are cached, and the longest document that is cached, in characters. */
    cachedDocuments: 200,
    cachedLength: 16 * KIB,
  },
  /** SSH keys of the person, in the form of authorized_keys. */
  account: { pubKeyLength: 64 * KIB },

  /**
   * Accounts of the app. `nameLength`, `addressLength`, `keyLength`: longest input, in characters. `probeMs`: time for
   * one probe of an account, all its requests together. `most`: largest number of accounts.
   */
  accounts: { nameLength: 100, addressLength: 2048, keyLength: 4096, probeMs: 20 * SECOND_MS, most: 100 },

  /**
   * `price`: US dollars. `records`: most records of one answer. Usage is stored every `beatMs`: a crash loses at most
   * that much. A Pod that continued without an engine is billed for at most `madeUpMs` of that time.
   */
  billing: { price: { max: 1_000_000 }, records: 100_000, beatMs: 1 * MINUTE_MS, madeUpMs: 31 * DAY_MS },

  /**
   * Metrics of endpoints: stored every `beatMs`. Minutes are stored for `minutesMs`, hours for `hoursMs`: the longest periods that
   * can be asked for, and one more hour and day. While nothing can be stored, the newest `unstoredMinutes` stay in memory.
   */
  metrics: { beatMs: 15 * SECOND_MS, minutesMs: 25 * HOUR_MS, hoursMs: 31 * DAY_MS, unstoredMinutes: 60 },

  /**
   * `storedBytes`: stored output with which a client can resume without a snapshot. `aheadBytes`: the shell pauses while
   * the slowest viewer has not shown this much output.
   */
  terminal: {
    cells: 1000,
    inputLength: 64 * KIB,
    scrollback: 5000,
    storedBytes: 4 * MIB,
    aheadBytes: 512 * KIB,
    /** Largest number of sessions, and how long a session without a viewer lives. */
    most: 64,
    unwatchedMs: 12 * HOUR_MS,
  },

  /**
   * While a page is open, the app pings the local engine every `askMs`. After `unanswered` missed answers in a row the
   * page says that the engine does not answer: 2 to 3 s after the last answer. A busy engine can stall for a second.
   */
  engineLife: { askMs: SECOND_MS, unanswered: 2 },

  /**
   * An SSH connection must be ready within `readyMs`. It gets a keepalive every `aliveMs` and is closed after
   * `aliveMost` unanswered ones. A lost connection is retried after the delays of `againMs`; the last delay repeats. A
   * connection that transfers no more files is closed after `filesIdleMs`. After a sleep of this computer, the other side
   * must answer within `wokenMs`.
   */
  ssh: {
    readyMs: 20_000,
    aliveMs: 15_000,
    aliveMost: 3,
    againMs: [1000, 2000, 5000, 10_000, 20_000, 30_000],
    filesIdleMs: 1 * MINUTE_MS,
    wokenMs: 5 * SECOND_MS,
  },

  /**
   * Files of a volume: most entries of one folder listing, largest upload, longest name in bytes (the limit of file systems), and deepest
   * path, whose folders stay open while it is resolved. A search ends after `matches` or `visited` folders.
   */
  volumeFiles: { entries: 5000, uploadBytes: 50 * 1024 * MIB, nameBytes: 255, depth: 100, matches: 500, visited: 5000 },

  /**
   * What the page requests at once: lines of a log, the period of the timeline of workers, and a piece of a file. Uploads: `most` run
   * at once, each with one piece in memory. An upload ends when no piece arrives for `idleMs`, or when the other side takes none for
   * `takenMs`: a Pod may be away for a while, and reads its part of a large file. `unfinished` broken-off uploads are remembered, so
   * that they can continue. `countedFiles`: most files that are counted for the size of the data folder, about one second of work.
   */
  page: {
    countedFiles: 100_000,
    logLines: 1000,
    lanesMs: DAY_MS,
    pieceBytes: 1 * MIB,
    remoteMediaBytes: 64 * MIB,
    remoteMediaMs: 1 * MINUTE_MS,
    remoteAddressLength: 8192,
    uploads: { most: 8, idleMs: 1 * MINUTE_MS, takenMs: 15 * MINUTE_MS, unfinished: 200 },
  },

  /**
   * The bucket for large inputs. `uploadBytes`: S3 takes no more in one PUT. `linkHours`, how long an address stays valid: S3 allows 7
   * days; the default is longer than a job may wait. `quietMs`: the longest silence. `continueMs`: the wait for the permission to send.
   */
  bucket: {
    uploadBytes: 5 * 1024 * MIB,
    linkHours: { min: 1, max: 7 * 24, default: 48 },
    quietMs: { small: 15 * SECOND_MS, upload: MINUTE_MS },
    continueMs: 2 * SECOND_MS,
    answerBytes: MIB,
  },

  /**
   * `passphraseLength`, of the encrypted file of keys: the minimum is costly to guess behind scrypt, the maximum is more than anybody
   * types. The keychain of the system: a caller waits `answerMs` for it, a start of Hangar `startMs`; a call, which may show a prompt,
   * ends after `promptMs`. The process of the keychain ends when it is idle for `idleMs`. The link to a new API key works for `shownMs`.
   */
  secrets: {
    passphraseLength: { min: 8, max: 1024 },
    answerMs: 15 * SECOND_MS,
    startMs: 4 * SECOND_MS,
    promptMs: 2 * MINUTE_MS,
    idleMs: 10 * SECOND_MS,
    shownMs: 5 * MINUTE_MS,
  },

  endpoint: {
    nameLength: 191,
    idleTimeoutS: { min: 1, max: 3600, default: 5 },
    workersMin: { min: 0, max: 1000, default: 0 },
    workersMax: { min: 0, max: 1000, default: 3 },
    scalerValue: { min: 1, max: 10_000, default: 4 },
    gpuCount: { min: 0, max: 64, default: 1 },
    /** Cores that a client asks for; nothing enforces them. */
    vcpuCount: { min: 1, max: 1024, default: 2 },
  },
  /** A job that ran during this many crashes of the engine is set aside: one crash may be chance. */
  crashesToSetAside: 2,
  /** How many jobs of a queue are listed. */
  queueListed: { min: 1, max: 1000, default: 100 },
} as const;
