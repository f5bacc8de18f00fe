/** Every number of the service description: limits, ranges, defaults and retention. Durations end in `Ms`, sizes in `Bytes`. */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const KIB = 1024;
const MIB = 1024 * KIB;

export const limits = {
  /** Largest body of POST /run: 10 MB in the 1024-based sense that clients expect for payloads. */
  runBodyBytes: 10 * 1024 * 1024,
  /** Largest body of POST /runsync and of a worker's result. */
  runsyncBodyBytes: 20 * 1024 * 1024,
  /** Largest stream chunk; 1000-based, as clients expect for chunks. Larger ones are split. */
  chunkBytes: 1_000_000,
  /** Largest body of every other route. */
  managementBodyBytes: 1024 * 1024,

  connection: {
    /** Connections at once, where the system allows as many open files. */
    most: 8192,
    /** The head of a request has to be there within this time. */
    headersMs: 10 * SECOND_MS,
    /** A body may come in at any speed for this long; then it has to bring so many bytes in each span of time. */
    bodyGraceMs: 10 * SECOND_MS,
    bodyWindowMs: 5 * SECOND_MS,
    bodyBytesPerSecond: 4096,
    /** An answer of which its reader takes nothing for this long is given up, after twice as long at the latest. */
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

  /** Requests to one operation of one endpoint, in any window of this length and at the same time. `concurrent: null` is no limit. */
  rates: {
    windowMs: 10 * SECOND_MS,
    /** What each running worker brings along per window: an endpoint with many workers takes more than the table says. */
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
    /** How far the settings may go. */
    ranges: {
      requestsPerWorker: { min: 0, max: 1_000_000 },
      requests: { min: 1, max: 10_000_000 },
      concurrent: { min: 1, max: 1_000_000 },
    },
  },

  /** How many jobs a worker may ask for at once. */
  jobsPerTake: { min: 1, max: 1000 },

  /** How many jobs GET /requests lists. */
  requestsListed: { min: 1, max: 1000, default: 100 },

  /** How far the settings may move the numbers above: times, sizes, and the tries of a webhook. */
  settable: {
    timeMs: { min: 1, max: 365 * DAY_MS },
    waitMs: { min: 1, max: HOUR_MS },
    bodyBytes: { min: 1024, max: 100 * MIB },
    chunkBytes: { min: 1024, max: 4_000_000 },
    webhookRetries: { min: 0, max: 20 },
    webhookGapMs: { min: 1 * SECOND_MS, max: HOUR_MS },
  },

  /** An empty /stream poll is held this long at most; public SDKs give up reading after 10 s. */
  streamHoldMs: 5 * SECOND_MS,
  /** An event stream that has nothing to tell says so this often: else proxies and clients take it for dead. */
  eventStreamPulseMs: 15 * SECOND_MS,
  /** A worker's empty job-take is held this long; the public worker abandons it after 90 s. */
  takeHoldMs: 30 * SECOND_MS,
  /**
   * That of a worker that is about to be stopped, and its empty job-stop: the public worker notices that it is to end only between
   * two asks, and has `workerGraceMs` for that.
   */
  retiredHoldMs: SECOND_MS,
  /** A worker that has not been heard of for this long is lost, and its jobs are queued again. */
  workerSilenceMs: 45 * SECOND_MS,
  workerPingMs: 10 * SECOND_MS,
  /** How often a job lost with its worker is queued again before it fails. */
  lostWorkerRetries: 1,
  /** Time between telling a worker to stop and killing it. */
  workerGraceMs: 5 * SECOND_MS,
  /** The last grace of a worker that has let its grace time pass: enough to tidy up, not to finish. */
  lastGraceMs: 1 * SECOND_MS,
  /** Asked to stop, the engine is killed after the first; the program without a window ends after the second, whatever still runs. */
  stop: { engineMs: 8 * SECOND_MS, programMs: 9.5 * SECOND_MS },

  /** A worker that has neither asked for a job nor ended so long after its start is replaced; RUNPOD_INIT_TIMEOUT, in seconds, changes it. */
  workerInitMs: 7 * 60 * SECOND_MS,
  /** Between two looks at whether a worker can be started after all. */
  startAgainMs: 5 * SECOND_MS,
  /** How long an endpoint without a worker waits for the GPU of another one that always has work: loading a model costs many seconds. */
  gpuTurnMs: 60 * SECOND_MS,
  /** What a worker uses is measured again no sooner than this: a shorter stretch tells nothing. */
  usageMs: 1 * SECOND_MS,

  /** How many jobs before a waiting one are counted at most; a count of this many means at least as many. */
  jobsAheadCounted: 10_000,

  webhook: {
    /** Longest address, in characters. */
    addressLength: 8192,
    /** How often a call that was not answered 2xx is tried again, and how long after. */
    retries: 2,
    gapMs: 10 * SECOND_MS,
    /** One attempt, from looking up the name to the end of the answer. */
    timeoutMs: 10 * SECOND_MS,
    /** How much of a receiver's answer is read, and thrown away, before the connection is cut. */
    answerBytes: 64 * KIB,
    /** An attempt that takes this long makes its receiver a slow one. */
    slowMs: 5 * SECOND_MS,
    /** Attempts under way at one receiver: one that nothing is known of yet, one that answers, one that is slow. */
    perReceiver: { new: 1, quick: 16, slow: 4 },
    /**
     * Slots in use, at which receivers of each kind have to wait: those that answer always have room left by those that
     * may hang. An attempt takes one slot, and one more for each `slotLength` characters that it holds in memory.
     */
    slots: { new: 1536, quick: 2048, slow: 512 },
    slotLength: 64 * KIB,
    /** Attempts begun in one turn of the event loop, of them one at most at a receiver that may hang. */
    startsPerTurn: 4,
    /** Receivers whose kind is remembered. */
    receiversKnown: 4096,
    /** How long, and how many, deliveries that have ended stay listed. */
    keptMs: 7 * DAY_MS,
    kept: 10_000,
    /** What they had sent is kept for sending it again while all of it together is no longer than this, in characters or bytes. */
    keptPayloadLength: 256 * MIB,
    /** Attempts listed of one delivery: the newest. */
    attemptsKept: 100,
    /** How many deliveries one list has. */
    listed: { min: 1, max: 1000, default: 100 },
  },

  /** Load-balancing endpoints. */
  balancing: {
    /** Where a worker listens whose template does not name PORT, and what its health check is called there. */
    defaultPort: 80,
    defaultHealthPath: '/ping',
    /** Largest body of a request, and of an answer. */
    bodyBytes: 30 * MIB,
    /** How long a request waits for a worker; one that insists on its worker waits longer. */
    workerWaitMs: 2 * MINUTE_MS,
    strictWaitMs: 5 * MINUTE_MS,
    /** How long a request that all ready workers are too busy for waits for a further one, where there may be one. */
    shareWaitMs: 5 * SECOND_MS,
    /** From a worker's getting a request to the end of its answer. */
    processingMs: 5.5 * MINUTE_MS,
    /** A worker's end and that of its connection are heard of one after the other: the second, or an answer, is awaited for so long. */
    lastWordsMs: 2 * SECOND_MS,
    /**
     * Once one side of a WebSocket has ended its connection, how long the other may take to end it too; and how long the body of a
     * request that was answered already may still come.
     */
    closingMs: 5 * SECOND_MS,
    /** A connection to a worker that nobody uses is closed before the worker closes it, which many servers do after 2 s or more. */
    idleConnectionMs: 1500,
    health: {
      /** How often a starting worker is asked: at first, and once it has been starting for `quickForMs`. */
      quickMs: 100,
      quickForMs: 10 * SECOND_MS,
      startingMs: 1 * SECOND_MS,
      /** How often one that is ready is asked. */
      readyMs: 5 * SECOND_MS,
      /** An answer that takes longer counts as none. */
      answerMs: 3 * SECOND_MS,
      /** A ready worker that fails so many checks in a row is replaced. */
      failures: 3,
      /** A starting one that has said neither 200 nor 204 for so long is replaced. */
      startWithinMs: 8 * MINUTE_MS,
    },
  },

  log: {
    /** What workers write is kept in files of this size, the oldest of which go once all of them together would be too large. */
    segmentBytes: 4 * MIB,
    keptBytes: 64 * MIB,
    /** A longer line is cut and says so, in characters; a line of JSON is put together up to `assembledLength` first. */
    lineLength: 8000,
    assembledLength: 256 * KIB,
    /** Lines of a worker that are told when it dies. */
    lastLines: 50,
    /** Lines that one page has. */
    listed: { min: 1, max: 1000, default: 200 },
    /** Looking for a page stops after so many lines that had to be looked at one by one; the next page goes on there. */
    lookedAt: 250_000,
    /** Longest text to look for, in characters. */
    searchLength: 500,
  },

  /**
   * What workers were, of an endpoint: so many spans, for so long; of a span, so many jobs. A worker that asked for its next job for
   * less than `gapMs` ran all the time.
   */
  lanes: { spans: 2000, keptMs: 6 * HOUR_MS, jobs: 100, gapMs: 100 },

  /**
   * What is kept of jobs that were sent from here. Without a word of the person none is removed for its age. A cap below `min` would
   * not hold one job with a large input and output. `searchedLength`: how much of an input, and of an output, is searched for text.
   */
  ledger: {
    retentionDays: { min: 1, max: 3650, default: null },
    capBytes: { min: 64 * MIB, max: 4096 * 1024 * MIB, default: 10 * 1024 * MIB },
    searchedLength: 64 * KIB,
  },

  registryAuth: { fieldLength: 4096 },
  /** Characters. */
  secret: { nameLength: 191, valueLength: 65_536, descriptionLength: 1000 },
  /** GB that a volume may be said to have; nothing enforces it on a folder. */
  volume: { sizeGb: { min: 0, max: 4000 } },

  /** `ports`: all together. `keptMs`: how long a deleted Pod is still told of, as TERMINATED. */
  pod: {
    nameLength: 191,
    imageLength: 1024,
    ports: 20,
    diskGb: { min: 0, max: 100_000, container: 50, volume: 20 },
    memoryGb: { min: 0, max: 100_000 },
    stopGraceMs: 10 * SECOND_MS,
    keptMs: 1 * HOUR_MS,
    /**
     * One whose container ended by itself, or could not be made, is started again: after `firstMs`, and each time after twice as long,
     * up to `mostMs`; from the beginning once it has run for `calmMs`.
     */
    again: { firstMs: 1 * SECOND_MS, mostMs: 5 * MINUTE_MS, calmMs: 1 * MINUTE_MS },
  },

  /**
   * GraphQL. `depth` and `cost` are of one operation: nested selections, and fields, those of a list counted `listed` times. The rest
   * bounds what checking a document takes, which grows with the square of what it repeats: its tokens, its fields and fragments, and
   * how often fields with selections answer under one name. `introspection`: the cost of asking for the schema, whatever of it.
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
    /** Checked documents that are kept, and how long one may be to be kept, in characters. */
    keptDocuments: 200,
    keptLength: 16 * KIB,
  },
  /** SSH keys of the person, in the form of authorized_keys. */
  account: { pubKeyLength: 64 * KIB },

  /**
   * Accounts of the app. `nameLength`, `addressLength`, `keyLength`: what a person may type, in characters. `probeMs`: one look at what
   * an account can do, all its questions together. `most`: accounts at once, more than a person has.
   */
  accounts: { nameLength: 100, addressLength: 2048, keyLength: 4096, probeMs: 20 * SECOND_MS, most: 100 },

  /**
   * `price`: US dollars. `records`: of one answer. What is used is stored every `beatMs`: a crash loses no more than that. A Pod that
   * ran on without an engine is billed for `madeUpMs` of it at most.
   */
  billing: { price: { max: 1_000_000 }, records: 100_000, beatMs: 1 * MINUTE_MS, madeUpMs: 31 * DAY_MS },

  /**
   * `keptBytes`: output that a client can come back to without a snapshot. `aheadBytes`: output that the slowest viewer has not
   * shown, at which the shell is held back.
   */
  terminal: {
    cells: 1000,
    inputLength: 64 * KIB,
    scrollback: 5000,
    keptBytes: 4 * MIB,
    aheadBytes: 512 * KIB,
    /** Sessions at once, and how long one without a viewer lives. */
    most: 64,
    unwatchedMs: 12 * HOUR_MS,
  },

  /**
   * While a page looks, the engine on this machine is asked for a sign of life every `askMs`, and said not to answer when so many in a row went unanswered:
   * a busy one stalls for seconds.
   */
  engineLife: { askMs: 5 * SECOND_MS, unanswered: 2 },

  /**
   * A connection over SSH is made within `readyMs`, asked for a sign of life every `aliveMs` and given up after `aliveMost` without one.
   * One that was lost is tried again after the times of `againMs`, the last of them from then on. One that no file goes over any
   * more is closed after `filesIdleMs`.
   */
  ssh: {
    readyMs: 20_000,
    aliveMs: 15_000,
    aliveMost: 3,
    againMs: [1000, 2000, 5000, 10_000, 20_000, 30_000],
    filesIdleMs: 1 * MINUTE_MS,
  },

  /**
   * Files of a volume: entries told of one folder, what one upload may hold, bytes of a name (what disks take), and how many
   * folders deep a path may go, each of which is held open on the way.
   */
  volumeFiles: { entries: 5000, uploadBytes: 50 * 1024 * MIB, nameBytes: 255, depth: 100 },

  /**
   * What the page asks for at once: lines of a log, how far back the lives of workers are drawn, and a piece of a file. `most`: files
   * on their way up at once, each with one piece in memory. One that nothing comes for in `idleMs` is given up, and so is one of which
   * nothing is taken in `takenMs`: a Pod may be away for a while, and reads what it has of a large file. `unfinished`: of how many that
   * were broken off it is remembered how they go on. `countedFiles`: how many files are looked at to tell what the data folder takes: about a second's work.
   */
  page: {
    countedFiles: 100_000,
    logLines: 1000,
    lanesMs: DAY_MS,
    pieceBytes: 1 * MIB,
    uploads: { most: 8, idleMs: 1 * MINUTE_MS, takenMs: 15 * MINUTE_MS, unfinished: 200 },
  },

  /**
   * `passphraseLength`: of the encrypted file of keys; what scrypt makes costly to guess, and no more than anybody types. The
   * system's keychain: a caller waits `answerMs` for it, a start of Hangar `startMs`; a call, which may stand behind a prompt, is
   * given up after `promptMs`. The process that speaks with it ends when nothing was asked for `idleMs`. A new API key
   * waits `shownMs` for the person to look at it.
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
  /** So often a job may be running when the engine crashes before it is set aside: once may be chance, and the third time it would go on for ever. */
  crashesToSetAside: 2,
  /** How many jobs of a queue are listed; a person looks at no more. */
  queueListed: { min: 1, max: 1000, default: 100 },
} as const;
