interface Options {
  readonly steal?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** Now, later when the owner goes on, or never if it is dead. */
type Deliver<Owner> = (owner: Owner, run: () => void) => void

/** One lock as browsers promise it: one holder, a line behind it, robbery, and the death of its holder lets go of it. */
export interface Lock<Owner> {
  holder(): Owner | undefined
  hold(owner: Owner, body: () => Promise<void>, options: Options): Promise<void>
  /** An owner has died. */
  letGo(owner: Owner): void
}

export function createLock<Owner>(deliverTo: Deliver<Owner>): Lock<Owner> {
  let held: { readonly owner: Owner; readonly rob: () => void } | undefined
  let line: { readonly owner: Owner; readonly grant: () => void }[] = []
  const grantNext = () => {
    if (!held) line.shift()?.grant()
  }
  return {
    holder: () => held?.owner,
    hold: (owner, body, { steal = false, signal }) =>
      new Promise<void>((resolve, reject) => {
        const grant = () => {
          const mine = { owner, rob: () => deliverTo(owner, () => reject(new Error('robbed'))) }
          held = mine
          const leave = (end: () => void) => {
            if (held === mine) {
              held = undefined
              grantNext()
            }
            end()
          }
          deliverTo(owner, () => {
            body().then(
              () => leave(resolve),
              (error: unknown) => leave(() => reject(error)),
            )
          })
        }
        if (steal) {
          held?.rob()
          held = undefined
        }
        if (!held) return grant()
        const place = { owner, grant }
        line.push(place)
        signal?.addEventListener('abort', () => {
          if (!line.includes(place)) return
          line = line.filter((waiting) => waiting !== place)
          deliverTo(owner, () => reject(new Error('gave up')))
        })
      }),
    letGo(owner) {
      line = line.filter((waiting) => waiting.owner !== owner)
      if (held?.owner !== owner) return
      held = undefined
      grantNext()
    },
  }
}

type Hold = (body: () => Promise<void>, options: Options) => Promise<void>

/** As a browser offers it. Only one lock is ever asked for. */
export const asLocks = (hold: Hold): Pick<LockManager, 'request'> =>
  ({ request: (_: string, options: Options, body: () => Promise<void>) => hold(body, options) }) as never
