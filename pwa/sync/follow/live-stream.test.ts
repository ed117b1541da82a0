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

it.each([
  ['of a scope', { scope: 'account', version: 12 }, { scope: 'account', version: 12 }],
  ['of a newer server, which says more', { scope: 'org', version: 12, since: 10 }, { scope: 'org', version: 12 }],
  ['of a scope that is not followed here', { scope: 'public', version: 12 }, undefined],
  ['without a version', { scope: 'org' }, undefined],
])('a poke %s is understood', (_, data, poke) => {
  expect(readPoke(data)).toEqual(poke)
})
