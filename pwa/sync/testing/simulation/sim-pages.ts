import { collections, type Collection } from '#shared/sync/collections.ts'
import type { FeedPosition } from '#shared/sync/replication-calls.ts'
import {
  areWhole,
  pageSet,
  isComplete,
  planWrite,
  takeOver,
  writtenOf,
  type CollectionRow,
  type Kept,
  type PageRow,
  type PageSet,
  type Written,
} from '../../replica/page-set.ts'
import type { SimReplica } from './sim-device.ts'
import type { Scene } from './sim-stage.ts'

/** What can become of a copy on the disk. */
export const damages = [
  'page lost',
  'page half there',
  'page of an earlier time',
  'checkpoint without its pages',
] as const
export type Damage = (typeof damages)[number]

type Rows = ReadonlyMap<Collection, CollectionRow>

/** A copy in the memory of a page that has it open. */
export type HeldPages = Readonly<Record<Collection, PageSet>>

/** A copy on the disk. */
export type SimPages = ReturnType<typeof emptySimPages>

export const emptySimPages = () => ({
  rows: new Map() as Rows,
  pages: new Map() as ReadonlyMap<string, PageRow>,
  /** What a page held before it was last written. */
  before: new Map<string, PageRow>(),
  /** What was done to it since it was last opened. */
  damage: undefined as Damage | undefined,
})

const emptyHeld = (): HeldPages => ({
  events: pageSet('events'),
  applications: pageSet('applications'),
  account: pageSet('account'),
})

/** So few that a history has several pages. */
const perPage = 2

const nameOf = ({ collection, page }: PageRow) => `${collection} ${page}`

/** What a page opens from the disk, shown; undefined when it is damaged. */
export function openPages(scene: Scene, replica: SimReplica): HeldPages | undefined {
  const { disk } = replica
  if (disk.damage === undefined && !scene.hasHealed && scene.storage.chance(0.1)) damage(scene, disk)
  if (disk.damage) scene.meet(`damage: ${disk.damage}`)
  const pages = [...disk.pages.values()]
  const isWhole = areWhole(
    [...disk.rows.values()],
    pages.toSorted((one, other) => one.page - other.page),
  )
  const isTrusted = disk.damage !== undefined && scene.canary.opensDamaged === disk.damage
  disk.damage = undefined
  const held = emptyHeld()
  for (const one of ['events', 'applications'] as const) replica[one].clear()
  replica.changes++
  for (const one of collections) replica.positions[one] = undefined
  if (!isWhole && !isTrusted) return undefined
  for (const one of collections) show(replica, held[one], takeOver(held[one], disk.rows.get(one), pages))
  return held
}

/** What the server said is in a copy as a whole, or not at all; a disk may also break in the middle of it. */
export function writePages(
  scene: Scene,
  replica: SimReplica,
  mine: PageSet,
  documents: readonly Kept[],
  written: Written,
): 'whole' | 'torn' {
  const { storage, canary } = scene
  const { disk } = replica
  const one = mine.collection
  if (!scene.hasHealed && storage.chance(0.02)) writeElsewhere(scene, replica, mine, documents, written)
  const changed = takeOver(mine, disk.rows.get(one), [...disk.pages.values()])
  if (!isComplete(mine) && canary.opensDamaged === undefined) return 'torn'
  const plan = planWrite(mine, documents, written, perPage)
  if (plan && plan.pages.length > 0 && !scene.hasHealed && storage.chance(0.005)) {
    put(disk, { row: plan.row, pages: [] })
    disk.damage = 'checkpoint without its pages'
    return 'torn'
  }
  if (plan) put(disk, plan)
  show(replica, mine, [...changed, ...(plan ? takeOver(mine, plan.row, plan.pages) : [])])
  return 'whole'
}

function put(
  disk: SimPages,
  { row, pages }: { readonly row: CollectionRow; readonly pages: readonly PageRow[] },
): void {
  for (const page of pages) {
    const present = disk.pages.get(nameOf(page))
    if (present) disk.before.set(nameOf(page), present)
  }
  disk.rows = new Map([...disk.rows, [row.collection, row]])
  disk.pages = new Map([...disk.pages, ...pages.map((page) => [nameOf(page), page] as const)])
}

/** Another tab has read what is there now, sleeps over it, and writes what it pulled when it wakes up. */
function writeElsewhere(
  { world, storage, canary, meet }: Scene,
  replica: SimReplica,
  mine: PageSet,
  documents: readonly Kept[],
  written: Written,
): void {
  const { disk } = replica
  const one = mine.collection
  const its = pageSet(one)
  takeOver(its, disk.rows.get(one), [...disk.pages.values()])
  world.after(storage.random() * 20_000, () => {
    meet('another tab writes')
    takeOver(its, disk.rows.get(one), canary.writesWithoutALook ? [] : [...disk.pages.values()])
    if (disk.damage || (!isComplete(its) && !canary.writesWithoutALook)) return
    const plan = planWrite(its, documents, written, perPage)
    if (!plan) return
    put(disk, plan)
    // Whoever has the copy open hears of it.
    show(replica, mine, takeOver(mine, plan.row, [...disk.pages.values()]))
  })
}

function damage({ storage }: Scene, disk: SimPages): void {
  const rewritten = [...disk.pages.values()].filter((one) => disk.before.has(nameOf(one)))
  const page = storage.pick(rewritten.length > 0 && storage.chance(0.5) ? rewritten : [...disk.pages.values()])
  if (!page) return
  const earlier = disk.before.get(nameOf(page))
  const pages = new Map(disk.pages)
  if (storage.chance(0.4)) {
    pages.delete(nameOf(page))
    disk.damage = 'page lost'
  } else if (earlier && storage.chance(0.7)) {
    pages.set(nameOf(page), earlier)
    disk.damage = 'page of an earlier time'
  } else {
    pages.set(nameOf(page), { ...page, documents: page.documents.slice(1) })
    disk.damage = 'page half there'
  }
  disk.pages = pages
}

/** Shows what a page's memory of a copy holds now. */
function show(replica: SimReplica, held: PageSet, changed: readonly Kept[]): void {
  const one = held.collection
  const { version, checkpoint = '' } = writtenOf(held)
  const position: FeedPosition = { epoch: replica.epoch ?? '', version, checkpoint }
  replica.positions[one] = held.row && position
  replica.changes++
  if (one === 'account') return
  for (const kept of changed) {
    if (kept._deleted) replica[one].delete(kept.key)
    else replica[one].set(kept.key, kept as never)
  }
}
