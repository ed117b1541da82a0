import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { routes, type RouteName } from '#shared/api/routes.ts'
import type { Entry } from '../entry.ts'
import { findKnown, labelOf, mutations, sentOf } from './mutations.ts'
import { lineFor } from '../../drain/batch.ts'
import { recordedEntries } from '../../testing/recorded-entries.ts'
import { applicationDocument, eventDocument } from '../../testing/people.ts'

const entries = recordedEntries.map((one) => ({ ...one, entry: one.entry as Entry }))

function documents() {
  return {
    events: new Map([1, 2].map((id) => [String(id), eventDocument(id)])),
    applications: new Map(
      [[7, 1] as const, [9, 2] as const].map(([id, eventId]) => [
        String(id),
        applicationDocument(id, eventId, { status: 'approved', decisionNumber: 1 }),
      ]),
    ),
  }
}

describe('a change queued by an older or a newer app', () => {
  it.each(entries)('$entry.mutation still goes out as the server takes it', ({ entry, sends, label }) => {
    const sent = sentOf(entry)
    expect(sent).toMatchObject(sends)
    expect(labelOf(entry)).toBe(label)
    const route = routes[sent!.route as RouteName] as { params?: z.ZodType; body?: z.ZodType }
    expect(route.params?.safeParse(sent?.params).error?.issues).toBeUndefined()
    expect(route.body?.safeParse(JSON.parse(JSON.stringify(sent?.body ?? null))).error?.issues).toBeUndefined()
  })

  it('is known to the queue wherever there is a file of it', async () => {
    const names = readdirSync(import.meta.dirname).flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? [])
    const modules = await Promise.all(
      names.map(async (name) => (await import(`./${name}.ts`)) as Record<string, unknown>),
    )
    const written = modules.flatMap(Object.values).flatMap((value) => {
      const { name, argsVersion } = (value ?? {}) as { name?: string; argsVersion?: number }
      return typeof argsVersion === 'number' ? [name] : []
    })
    expect([...new Set(written)].toSorted()).toEqual([...mutations.keys()].toSorted())
  })

  it('has a recording for every mutation', () => {
    expect([...new Set(entries.map(({ entry }) => entry.mutation))].toSorted()).toEqual(
      [...mutations.keys()].toSorted(),
    )
  })

  it('waits untouched when this app does not know it yet', () => {
    const entry = entries[0]!.entry
    for (const newer of [
      { ...entry, mutation: 'star-application' },
      { ...entry, argsVersion: 99 },
    ]) {
      expect(findKnown(newer)).toBeUndefined()
      expect(lineFor(newer)).toBeUndefined()
      expect(labelOf(newer)).toBe('A change made by a newer version of this app')
    }
  })
})

describe('folding a change', () => {
  it.each(entries)('$entry.mutation twice is the same as once', ({ entry }) => {
    const known = findKnown(entry)!
    const once = documents()
    known.mutation.fold(once, known.args, 'key')
    const twice = documents()
    known.mutation.fold(twice, known.args, 'key')
    known.mutation.fold(twice, known.args, 'key')
    expect(twice).toEqual(once)
  })

  it('shows a created event whole, until the server says what it is', () => {
    const { args, mutation } = findKnown(entries[0]!.entry)!
    const folded = documents()
    mutation.fold(folded, args, 'key')
    expect(folded.events.get('410100000001')).toMatchObject({
      id: 410100000001,
      name: 'Founders Mixer',
      edition: 1,
      customQuestions: [],
      showDefaultQuestions: true,
    })
    const arrived = eventDocument(410100000001, { timeZone: 'America/New_York', edition: 3 })
    folded.events.set('410100000001', arrived)
    mutation.fold(folded, args, 'key')
    expect(folded.events.get('410100000001')).toBe(arrived)
  })

  it('never touches the documents it was given', () => {
    const before = documents()
    const copy = structuredClone(before)
    for (const { entry } of entries) {
      const known = findKnown(entry)!
      known.mutation.fold(
        { events: new Map(before.events), applications: new Map(before.applications) },
        known.args,
        'key',
      )
    }
    expect(before).toEqual(copy)
  })
})

it('a name with breaks and marks of direction leaves its label on one line of bounded length', () => {
  const name = `Bea\n\u202eevil${'x'.repeat(500)}`
  const args = { applicationId: 7, eventId: 1, name, starred: true }
  const label = labelOf({ mutation: 'mark-application', argsVersion: 1, args })
  expect(label).toContain('Bea')
  expect(label).not.toMatch(/[\n\u202e]/)
  expect(label.length).toBeLessThanOrEqual(240)
})

it('a refused correction, answer or photo of a Beacon holds up no check-in', () => {
  const about = { applicationId: 7, eventId: 12, eventName: 'Mixer', name: 'Bea Brook', token: 't' }
  const laneOf = (name: string) => mutations.get(name)?.lane(about as never)
  const others = ['correct-application', 'say-coming', 'set-face', 'withdraw-application'].map(laneOf)
  expect(others).not.toContain(laneOf('check-in'))
})
