import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { applicationBody, eventBody } from './route-rig.ts'
import { setTestServer } from './test-server.ts'

/** Every list of events that a visitor asks for has an event of this place. */
const place = { state: 'Illinois', zipCode: '60601' }

/** Sets a server with pages for the tests of the calling file, where Olivia publishes events and a visitor looks for them. */
export async function setPublicTraces() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'beaconry-traces-'))
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><html><head><title>App</title></head></html>')
  afterAll(() => rmSync(folder, { recursive: true }))
  let laterMs = 0
  const server = await setTestServer({ staticFolder: folder, now: () => new Date(Date.now() + laterMs) })
  const olivia = await server.addOrganizer('Olivia')
  const fields = (changes: Record<string, unknown> = {}) => eventBody({ ...place, ...changes })
  return {
    server,
    olivia,
    /** Olivia publishes an event with one Beacon, who is approved. */
    publish: async (): Promise<{ eventId: number; beaconId: number; token: string }> => {
      const { id: eventId } = await olivia.ok('createEvent', { body: fields() })
      const { id: beaconId, token } = await server
        .client()
        .ok('applyAsBeacon', { params: { eventId }, body: applicationBody() })
      await olivia.ok('decideApplication', { params: { beaconId }, body: { status: 'approved' } })
      return { eventId, beaconId, token }
    },
    edit: async (id: number, changes: Record<string, unknown>) =>
      await olivia.ok('updateEvent', { params: { id }, body: fields(changes) }),
    /** Tells what a visitor finds of an event by its link, and in which lists. */
    seen: async (eventId: number) => {
      // The map of the site is kept for a minute.
      laterMs += 61_000
      const visitor = server.client()
      const get = async (address: string) => await visitor.request('GET', address)
      const page = await get(`/events/${eventId}`)
      const isListed = async (query = {}) =>
        (await visitor.call('listEvents', { query })).text.includes(`"id":${eventId},`)
      const application = applicationBody({ email: `visitor${laterMs}@example.com` })
      return {
        page: page.status,
        isIndexed: page.status === 200 && !page.text.includes('noindex'),
        hasPreview: page.text.includes('og:image'),
        applyPage: (await get(`/events/${eventId}/apply`)).status,
        preview: (await get(`/events/${eventId}/preview.png`)).status,
        calendar: (await get(`/events/${eventId}.ics`)).status,
        event: (await visitor.call('getEvent', { params: { id: eventId } })).status,
        beacons: (await visitor.call('listBeacons', { params: { id: eventId } })).body.length ?? 'none',
        applying: (await visitor.call('applyAsBeacon', { params: { eventId }, body: application })).status,
        view: (await visitor.call('countView', { params: { id: eventId }, body: { from: 'share' } })).status,
        lists: [
          (await get('/sitemap.xml')).text.includes(`/events/${eventId}<`),
          await isListed(),
          await isListed({ state: place.state }),
          await isListed({ zipCode: place.zipCode, radius: 50 }),
          await isListed({ q: 'Harbor' }),
        ],
      }
    },
  }
}

const byLink = {
  page: 200,
  hasPreview: true,
  applyPage: 200,
  preview: 200,
  calendar: 200,
  event: 200,
  beacons: 1,
  applying: 201,
  view: 204,
}
export const everywhere = { ...byLink, isIndexed: true, lists: [true, true, true, true, true] }
const inNoList = { isIndexed: false, lists: [false, false, false, false, false] }
export const unlisted = { ...byLink, ...inNoList }
export const nowhere = {
  ...inNoList,
  page: 404,
  hasPreview: false,
  applyPage: 404,
  preview: 404,
  calendar: 404,
  event: 404,
  beacons: 'none',
  applying: 404,
  view: 404,
}
