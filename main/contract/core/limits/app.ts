/**
 * Limits of the app: accounts, ledger, batches, files, terminals, SSH, keys, and the start and stop of its programs.
 */
import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS, KIB, MIB } from './units.ts';

export const appLimits = {
  /** Default TCP ports of a host: one for its API, one for its page. */
  usualPorts: { api: 47_800, page: 47_801 },
  /**
   * At shutdown the engine is killed after `engineMs`; the program without a window ends after `programMs` in any case.
   */
  stop: { engineMs: 8 * SECOND_MS, programMs: 9.5 * SECOND_MS },

  /**
   * While a page is open, the app pings the local engine every `askMs`. After `unanswered` missed answers in a row the
   * page says that the engine does not answer: 2 to 3 s after the last answer. A busy engine can stall for a second.
   */
  engineLife: { askMs: SECOND_MS, unanswered: 2 },

  /**
   * Accounts of the app. `nameLength`, `addressLength`, `keyLength`: longest input, in characters. `probeMs`: time for
   * one probe of an account, all its requests together. `most`: largest number of accounts.
   */
  accounts: { nameLength: 100, addressLength: 2048, keyLength: 4096, probeMs: 20 * SECOND_MS, most: 100 },

  /**
   * `passphraseLength`, of the encrypted file of keys: the minimum is costly to guess behind scrypt, the maximum is
   * more than anybody types. The keychain of the system: a caller waits `answerMs` for it, a start of Hangar `startMs`;
   * a call, which may show a prompt, ends after `promptMs`. The process of the keychain ends when it is idle for
   * `idleMs`. The link to a new API key works for `shownMs`.
   */
  secrets: {
    passphraseLength: { min: 8, max: 1024 },
    answerMs: 15 * SECOND_MS,
    startMs: 4 * SECOND_MS,
    promptMs: 2 * MINUTE_MS,
    idleMs: 10 * SECOND_MS,
    shownMs: 5 * MINUTE_MS,
  },

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

  /** Longest report of a running job that the page reads: it does so every few seconds. */
  progressBytes: 64 * KIB,

  /** `inputs`: jobs of one batch. `bytes`: their bodies together. `atOnce`: its jobs that have not ended. */
  batch: { inputs: 10_000, bytes: 10 * MIB, atOnce: { min: 1, max: 100, default: 4 } },

  /**
   * What the page requests at once: lines of a log, the period of the timeline of workers, and a piece of a file.
   * Uploads: `most` run at once, each with one piece in memory. An upload ends when no piece arrives for `idleMs`, or
   * when the other side takes none for `takenMs`: a Pod may be away for a while, and reads its part of a large file.
   * `unfinished` broken-off uploads are remembered, so that they can continue. `countedFiles`: most files that are
   * counted for the size of the data folder, about one second of work. Grants: the newest `most` files and folders that a
   * person gave to the page are remembered; `files`: most files of one such folder.
   */
  page: {
    countedFiles: 100_000,
    logLines: 1000,
    lanesMs: DAY_MS,
    pieceBytes: 1 * MIB,
    remoteMediaBytes: 64 * MIB,
    remoteMediaMs: 1 * MINUTE_MS,
    remoteAddressLength: 8192,
    grants: { most: 1000, files: 100_000 },
    uploads: { most: 8, idleMs: 1 * MINUTE_MS, takenMs: 15 * MINUTE_MS, unfinished: 200 },
  },

  /**
   * Files of a volume: most entries of one folder listing, largest upload, longest name in bytes (the limit of file
   * systems), and deepest path, whose folders stay open while it is resolved. A search ends after `matches` or
   * `visited` folders.
   */
  volumeFiles: {
    entries: 20_000,
    uploadBytes: 50 * 1024 * MIB,
    nameBytes: 255,
    depth: 100,
    matches: 500,
    visited: 5000,
  },

  /**
   * The bucket for large inputs. `uploadBytes`: S3 takes no more in one PUT. `linkHours`, how long an address stays
   * valid: S3 allows 7 days; the default is longer than a job may wait. `quietMs`: the longest silence. `continueMs`:
   * the wait for the permission to send.
   */
  bucket: {
    uploadBytes: 5 * 1024 * MIB,
    linkHours: { min: 1, max: 7 * 24, default: 48 },
    quietMs: { small: 15 * SECOND_MS, upload: MINUTE_MS },
    continueMs: 2 * SECOND_MS,
    answerBytes: MIB,
  },

  /**
   * `storedBytes`: stored output with which a client can resume without a snapshot. `aheadBytes`: the shell pauses
   * while the slowest viewer has not shown this much output.
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
   * An SSH connection must be ready within `readyMs`. It gets a keepalive every `aliveMs` and is closed after
   * `aliveMost` unanswered ones. A lost connection is retried after the delays of `againMs`; the last delay repeats. A
   * connection that transfers no more files is closed after `filesIdleMs`. After a sleep of this computer, the other
   * side must answer within `wokenMs`.
   */
  ssh: {
    readyMs: 20_000,
    aliveMs: 15_000,
    aliveMost: 3,
    againMs: [1000, 2000, 5000, 10_000, 20_000, 30_000],
    filesIdleMs: 1 * MINUTE_MS,
    wokenMs: 5 * SECOND_MS,
  },
} as const;
