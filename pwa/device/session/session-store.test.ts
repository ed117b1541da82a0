import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call, describeSender } from '../../sync/http/call.ts'
import { deleteSetting } from '../device-db.ts'
import { outboxStore } from '../../sync/queue/store/opened-outbox.ts'
import { textStorage } from '../../sync/testing/text-storage.ts'
import { noteLogout, sendPendingLogout } from './pending-logout.ts'
import { sessionAsked, sessionState } from './session-state.ts'
import { begin, cachedUser, confirmUser, followSession, forgetUser, startSession } from './session-store.ts'

const olivia = {
  id: 1,
  username: 'olivia',
  email: 'olivia@example.com',
  emailVerified: true,
  organizationName: null,
  contactEmail: null,
  subscriptionTier: 'none' as const,
  subscriptionEndDate: null,
  isAdmin: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  deletesAt: null,
}
const otto = { ...olivia, id: 2, username: 'otto', email: 'otto@example.com' }
const headers = { 'X-Beaconry': '1' }
const says = (status: number, body: unknown) => async () =>
  new Response(status === 204 ? null : JSON.stringify(body), { status, headers })
const refuses = (status: number, code: string) => says(status, { code, message: 'No', requestId: 'r' })
const noNetwork = async () => Promise.reject(new TypeError('Failed to fetch'))
const accountOfOutbox = async () => (await outboxStore.change([], ({ account }) => ({ result: account }))).result

followSession()

beforeEach(async () => {
  vi.stubGlobal('fetch', noNetwork)
  await forgetUser()
  sessionState.set({ state: 'loading', user: null })
})
afterEach(() => vi.unstubAllGlobals())

describe('the session at a start', () => {
  it.each([
    ['not answered', noNetwork],
    ['answered by something on the way', async () => new Response('{}')],
    ['answered with an empty account', says(200, {})],
  ])('keeps who was signed in when the question is %s', async (_, answer) => {
    await begin(olivia)
    vi.stubGlobal('fetch', answer)
    sessionState.set({ state: 'loading', user: null })
    await startSession()
    expect(sessionState.get()).toEqual({ state: 'signed-in', user: olivia })
  })

  it('stays signed out, whether the server says so or there is no network', async () => {
    vi.stubGlobal('fetch', refuses(401, 'sign_in_required'))
    await startSession()
    expect(sessionState.get().state).toBe('signed-out')
    sessionState.set({ state: 'loading', user: null })
    vi.stubGlobal('fetch', noNetwork)
    await startSession()
    expect(sessionState.get().state).toBe('signed-out')
  })

  it("follows the server's word about who it is, and unlocks that person's queue only", async () => {
    await begin(olivia)
    vi.stubGlobal('fetch', says(200, otto))
    await confirmUser()
    expect(sessionState.get()).toEqual({ state: 'signed-in', user: otto })
    expect(await accountOfOutbox()).toBe(2)
  })
})

it.each([
  ['the server says that it is over', refuses(401, 'session_expired'), 'ended'],
  ['the server says that it stands', says(200, olivia), 'signed-in'],
  ['the server cannot be reached', noNetwork, 'signed-in'],
])('at a start, what this device remembers is only a memory until %s', async (_, answer, state) => {
  await begin(olivia)
  sessionState.set({ state: 'loading', user: null })
  sessionAsked.set(false)
  let seen: unknown
  vi.stubGlobal('fetch', async () => {
    seen = [sessionState.get().state, sessionAsked.get()]
    return await answer()
  })
  await startSession()
  expect(seen).toEqual(['signed-in', false])
  expect([sessionState.get().state, sessionAsked.get()]).toEqual([state, true])
})

describe('a session', () => {
  it('that expired is ended: the person is still known, and the queue still theirs', async () => {
    await begin(olivia)
    vi.stubGlobal('fetch', refuses(401, 'session_expired'))
    await expect(call('listOrganizerEvents')).rejects.toMatchObject({ status: 401 })
    expect(sessionState.get()).toEqual({ state: 'ended', user: olivia })
    expect([(await cachedUser())?.id, await accountOfOutbox()]).toEqual([1, 1])
    await begin(olivia)
    expect(sessionState.get().state).toBe('signed-in')
  })

  it('that was revoked elsewhere forgets the person and locks the queue', async () => {
    await begin(olivia)
    vi.stubGlobal('fetch', refuses(401, 'session_revoked'))
    await expect(call('listOrganizerEvents')).rejects.toMatchObject({ status: 401 })
    await expect.poll(() => sessionState.get()).toMatchObject({ state: 'signed-out', elsewhere: true })
    expect([await cachedUser(), await accountOfOutbox()]).toEqual([undefined, null])
  })

  it('that another tab ended says so, and the tab that ended it does not', async () => {
    await begin(olivia)
    await deleteSetting('session/user')
    const otherTab = new BroadcastChannel('beaconry-session')
    otherTab.postMessage('changed')
    await expect.poll(() => sessionState.get()).toMatchObject({ state: 'signed-out', elsewhere: true })
    otherTab.close()
    await begin(olivia)
    await forgetUser()
    expect(sessionState.get()).toEqual({ state: 'signed-out', user: null, elsewhere: false })
  })

  it('is not touched by a wrong password', async () => {
    await begin(olivia)
    vi.stubGlobal('fetch', refuses(401, 'invalid_credentials'))
    await expect(call('login', { body: { email: 'olivia@example.com', password: 'wrong!' } })).rejects.toMatchObject({
      status: 401,
    })
    expect(sessionState.get().state).toBe('signed-in')
  })
})

it('a sign-out without a network is told to the server before anything else, once', async () => {
  const asked: string[] = []
  describeSender(async (name) => {
    if (name !== 'logout') await sendPendingLogout()
    return null
  })
  vi.stubGlobal('localStorage', textStorage())
  noteLogout(true)
  await expect(call('listEvents', { query: {} })).rejects.toMatchObject({ name: 'Unreachable' })
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return url === '/api/logout' ? await says(204, null)() : await says(200, [])()
  })
  await Promise.all([call('listEvents', { query: {} }), call('listPlans')])
  await call('listPlans')
  describeSender(async () => null)
  expect(asked[0]).toBe('/api/logout')
  expect(asked.filter((url) => url === '/api/logout')).toHaveLength(1)
  expect(asked).toHaveLength(4)
})
