import { fetchWhole, questions } from '../../sync/index.ts'
import { useMemo } from 'react'
import { type Coordinates, isZipCode, readZipTable, type ZipTable } from '#shared/places/zip-table.ts'
import tableUrl from '#shared/places/zip-codes.bin?url'

const cacheName = 'beaconry-zip-codes'

/** Fails when it is not kept here and cannot be fetched. */
export const zipTable = questions.createQuestion({ call: load, outlivesFollowers: true })
const isHere = () => zipTable.known.get().answer !== null

/** It is called when someone begins to search by ZIP code, so that the table is here before the last digit. */
export function fetchZipTable(): void {
  if (!isHere()) void zipTable.ask()
}

async function keptTable(): Promise<Response | undefined> {
  try {
    return await (await caches.open(cacheName)).match(tableUrl)
  } catch {
    return undefined
  }
}

async function load(): Promise<ZipTable> {
  const kept = 'caches' in globalThis ? await keptTable() : undefined
  if (kept) {
    try {
      return readZipTable(new Uint8Array(await kept.arrayBuffer()))
    } catch {
      // The table is damaged on the disk, which is as good as never fetched.
    }
  }
  const { body: bytes } = await fetchWhole(tableUrl)
  // A portal's page throws here and is not kept.
  const loaded = readZipTable(bytes)
  if ('caches' in globalThis) await keep(bytes).catch(() => undefined)
  return loaded
}

async function keep(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const cache = await caches.open(cacheName)
  for (const older of await cache.keys()) await cache.delete(older)
  await cache.put(tableUrl, new Response(bytes, { headers: { 'Content-Type': 'application/octet-stream' } }))
}

/**
 * `looking` means that the table is on the way, `unknown` that there is no such code, and `unavailable` that no table
 * is kept or can be fetched.
 */
export type ZipCentre =
  | { readonly state: 'none' | 'looking' | 'unknown' | 'unavailable' }
  | { readonly state: 'known'; readonly centre: Coordinates }

const when: questions.RefetchOptions<ZipTable> = { reachable: 'after failure' }

export function useZipCentre(zipCode: string): ZipCentre {
  const {
    answer: zips,
    failure,
    isAsking,
  } = questions.useAnswer(zipTable, isZipCode(zipCode) && !isHere() ? when : null)
  const missing = failure !== null && !isAsking
  return useMemo(() => centreOf(zipCode, zips, missing), [zipCode, zips, missing])
}

function centreOf(zipCode: string, zips: ZipTable | null, missing: boolean): ZipCentre {
  if (zipCode === '') return { state: 'none' }
  if (!isZipCode(zipCode)) return { state: 'unknown' }
  if (!zips) return { state: missing ? 'unavailable' : 'looking' }
  const centre = zips.centreOf(zipCode)
  return centre ? { state: 'known', centre } : { state: 'unknown' }
}
