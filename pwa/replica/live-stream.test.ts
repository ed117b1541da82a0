import { describe, expect, it } from 'vitest'
import { eventReader } from './live-stream.ts'

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
