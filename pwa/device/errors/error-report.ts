import type { ReportedError } from '#shared/admin/browser-error-calls.ts'
import { maxReported } from '#shared/admin/browser-error.ts'
import { paths } from '../../paths.ts'

type Place = Omit<ReportedError, 'times'>
/** `tries` counts how often it left without an answer. */
export type KeptError = ReportedError & { readonly tries: number }

/** What was counted though its answer was lost is counted so often at most. */
const maxTries = 3

/** Chromium writes `at name (address:line:column)`, others `name@address:line:column`. */
const frame = /(?:^\s*at (?:.*[ (])?|@)(https?:\/\/[^\s()]+?)\/assets\/([\w-][\w.-]*\.js)(?:\?[^\s()]*?)?(:\d+:\d+)\)?$/

/** Lists the frames in our own files, without their address. */
export function framesOf(stack: string, origin: string): readonly string[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      const [, from, file, place] = frame.exec(line) ?? []
      return from === origin ? [`${file}${place}`] : []
    })
    .slice(0, maxReported.frames)
}

const words = new Set(
  Object.values(paths)
    .flatMap((path) => (typeof path === 'string' ? path : (path as (id: number) => string)(0)).split(/[/?]/))
    .filter((word) => /^[a-z][a-z-]*$/.test(word)),
)

/** The screen at an address: `/events/12/apply` is `/events/:id/apply`. */
export function screenOf(pathname: string): string {
  const segments = pathname.split('/').filter((segment) => segment !== '')
  return `/${segments
    .slice(0, 5)
    .map((segment) => (words.has(segment) ? segment : ':id'))
    .join('/')}`
}

/**
 * Returns undefined for what happened in none of our files, such as in a browser's extension. The error's message is
 * left out.
 */
export function placeOf(error: unknown, at: { origin: string; pathname: string; version: string }): Place | undefined {
  if (!(error instanceof Error)) return undefined
  const frames = [...framesOf(error.stack ?? '', at.origin)]
  if (frames.length === 0) return undefined
  const name = /^[A-Za-z_$][\w$]{0,59}$/.test(error.name) ? error.name : 'Error'
  return { name, version: at.version, screen: screenOf(at.pathname), frames }
}

const isSame = (one: Place, other: Place) =>
  one.name === other.name && one.version === other.version && one.frames.join(' ') === other.frames.join(' ')

/** The list is unchanged where it has no room. */
export function withError(list: readonly KeptError[], place: Place): readonly KeptError[] {
  const same = list.find((one) => isSame(one, place))
  if (same) {
    const times = Math.min(same.times + 1, maxReported.times)
    return list.map((one) => (one === same ? { ...one, times } : one))
  }
  return list.length < maxReported.errors ? [...list, { ...place, times: 1, tries: 0 }] : list
}

/** For before it leaves; what leaves for the last time is not kept. */
export const afterTry = (list: readonly KeptError[]): readonly KeptError[] =>
  list.map((one) => ({ ...one, tries: one.tries + 1 })).filter(({ tries }) => tries < maxTries)

export function withoutSent(list: readonly KeptError[], sent: readonly KeptError[]): readonly KeptError[] {
  return list.flatMap((one) => {
    const times = one.times - (sent.find((other) => isSame(one, other))?.times ?? 0)
    return times > 0 ? [{ ...one, times, tries: 0 }] : []
  })
}
