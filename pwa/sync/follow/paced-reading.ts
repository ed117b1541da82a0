interface PacedReading<T> {
  readonly read: () => Promise<T>
  readonly onRead: (value: T) => void
  readonly onFailed: () => void
  /** A reading is good enough for this many milliseconds while further changes come; 0 means not at all. */
  readonly restMs: (value: T) => number
}

/**
 * The first change after a rest is read at once; changes during a reading or a rest are read together. The last change
 * is always read.
 */
export function readPaced<T>({ read, onRead, onFailed, restMs }: PacedReading<T>): { refresh(): void; end(): void } {
  let isBusy = false
  let isAsked = false
  let hasEnded = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const refresh = () => {
    isAsked = true
    if (!isBusy && !hasEnded) void run()
  }
  const run = async () => {
    isBusy = true
    isAsked = false
    let rest = 0
    try {
      const value = await read()
      if (hasEnded) return
      rest = restMs(value)
      onRead(value)
    } catch {
      if (!hasEnded) onFailed()
    }
    const rested = () => {
      isBusy = false
      if (isAsked && !hasEnded) void run()
    }
    if (rest > 0) timer = setTimeout(rested, rest)
    else rested()
  }
  return {
    refresh,
    end() {
      hasEnded = true
      clearTimeout(timer)
    },
  }
}
