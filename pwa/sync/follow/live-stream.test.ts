import { describe, expect, it } from 'vitest'
import { eventReader, readPoke } from './live-stream.ts'

function readAll(pieces: readonly string[]) {
  const events: unknown[] = []
  const read = eventReader((event) => events.push(event))
  for (const piece of pieces) read(piece)
  return events
}

describe('the live stream', () => {
  const text =
    ': hello\n\nevent: poke\ndata: {"scope":"org","version":12}\n\n: still here\n\nevent: come-back\ndata: {"afterMs":900}\n\n'
  const events = [
    { event: 'poke', data: { scope: 'org', version: 12 } },
    { event: 'come-back', data: { afterMs: 900 } },
  ]

  it('is read the same wherever the network cuts it', () => {
    for (let cut = 0; cut <= text.length; cut += 1)
      expect(readAll([text.slice(0, cut), text.slice(cut)])).toEqual(events)
  })

  it('passes over what is no JSON, and keeps an event back until it is whole', () => {
    expect(readAll(['event: poke\ndata: half {\n\n', 'event: poke\ndata: {"version":1}\n'])).toEqual([])
  })
})

const told = { scope: 'org', version: 12, since: 10, collections: ['events'] }
const carried = { from: 'e.10', to: 'e.12', documents: { events: [] } }

it.each([
  ['with its collections', told, told],
  ['with its documents', { ...told, carried }, { ...told, carried }],
  [
    'with something else in the place of documents',
    { ...told, carried: { ...carried, documents: { events: 1 } } },
    told,
  ],
  ['of an older server', { scope: 'account', version: 12 }, { scope: 'account', version: 12 }],
  [
    'about a collection of a newer server',
    { ...told, collections: ['events', 'notes'] },
    { scope: 'org', version: 12 },
  ],
  ['of a scope that is not followed here', { scope: 'public', version: 12 }, null],
  ['without a version', { scope: 'org' }, null],
])('a poke %s is understood', (_, data, poke) => {
  expect(readPoke(data)).toEqual(poke)
})
