/** Wall-clock limits of the app, in milliseconds. */
const usual = {
  /** A message goes after so long. */
  toastMs: 5_000,
  /** An opening or a transaction that takes longer is not waited for in silence. */
  storagePatienceMs: 3_000,
  /** A change that can be undone leaves after so long. */
  undoMs: 8_000,
  /** The page asks so often whether an unreachable server is back. */
  probeMs: 12_000,
  /** Contexts that wait for the lead ask the leader so often; six questions without an answer end its lead. */
  leaderQuestionMs: 5_000,
  /** Two requests that nothing new has caused are at least this far apart, whatever is answered. */
  requestSpacingMs: 5_000,
  /** A request in which nothing moves for so long is given up. */
  requestSilenceMs: 20_000,
  /** The server says something every 25 s; a stream that is silent for much longer is dead. */
  streamSilenceMs: 40_000,
  /** A copy that has not arrived after so long is not waited for. */
  pullPatienceMs: 30_000,
}

export type Timings = Readonly<typeof usual>

/** Tests of the built app set others before the app begins. */
export const timings: Timings = {
  ...usual,
  ...(globalThis as { beaconryTimings?: Partial<Timings> }).beaconryTimings,
}
