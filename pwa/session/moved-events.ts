import { observable } from '../api/observable.ts'
import { deleteSetting, readSetting, writeSetting } from '../device/device-db.ts'

/** An event that went out under another number than the one it was shown under before. */
export interface MovedEvent {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** Events of the signed-in account whose organizer has not read yet that their address is another one. */
export const movedEvents = observable<readonly MovedEvent[]>([])

let followed: number | null = null
/** Leaves the device with the account. */
const settingOf = (userId: number) => `user:${userId}/moved-events`

/** Shows those of one account, or of nobody. */
export async function followMoved(userId: number | null): Promise<void> {
  followed = userId
  movedEvents.set([])
  if (userId === null) return
  const kept = (await readSetting<readonly MovedEvent[]>(settingOf(userId))) ?? []
  if (followed === userId) movedEvents.set(kept)
}

/** Remembers one more until its organizer has read it. */
export async function addMoved(userId: number, moved: MovedEvent): Promise<void> {
  const before = movedEvents.get()
  // Moved twice, it was shown under the first number for longest.
  const first = before.find(({ to }) => to === moved.from)
  const next = [...before.filter((other) => other !== first), first ? { ...moved, from: first.from } : moved]
  movedEvents.set(next)
  await writeSetting(settingOf(userId), next)
}

/** The organizer has read it. */
export async function forgetMoved(userId: number): Promise<void> {
  movedEvents.set([])
  await deleteSetting(settingOf(userId))
}
