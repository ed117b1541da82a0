/** Wall-clock limits of the app, in milliseconds. */
const usual = {
  /** A message goes after so long. */
  toastMs: 5_000,
  /** An opening or a transaction that takes longer is not waited for in silence. */
  storagePatienceMs: 3_000,
}

export type Timings = Readonly<typeof usual>

/** Tests of the built app set others before the app begins. */
export const timings: Timings = {
  ...usual,
  ...(globalThis as { beaconryTimings?: Partial<Timings> }).beaconryTimings,
}
