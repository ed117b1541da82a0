import { useCallback, useRef, useState } from 'react'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { foldedView } from '../../sync/index.ts'
import { saveFailureText } from '../../device/save-failure.ts'
import { announce } from '../../ui/live-region.tsx'
import { nothingCollected, progressOf, wholeOf, withoutMessage, withPart } from './collect-parts.ts'
import { handIn, type HandedIn } from './hand-in.ts'
import { keyPrintOf, readCode, type NotAPart, type Part } from './parts.ts'
import type { KeyPair } from './seal.ts'
import { openApplication } from './sealed-application.ts'

export interface Scan {
  /** It is told for an application in several codes. */
  readonly progress: ReturnType<typeof progressOf>
  /** Why the code that was read last is of no use. */
  readonly refusal: string | null
  readonly done: HandedIn | null
}

const atTheStart: Scan = { progress: null, refusal: null, done: null }

const refusals: Record<NotAPart | 'other-site' | 'other-event' | 'broken', string> = {
  other: 'This is not the code of an application. They find theirs under “Show to the Organizer”.',
  older: 'This code comes from an older version of Beaconry. It can only be sent from the phone that shows it.',
  newer: 'This code comes from a newer version of Beaconry. Reload this page once you are online, and scan it again.',
  damaged: 'This code is damaged. Ask them to close it and show it again.',
  'other-site': 'This code was made for another Beaconry site.',
  'other-event': 'This application is for another organizer’s event.',
  broken: 'These codes do not belong together, or were changed. Ask them to close the code and show it again.',
}

async function refusalOf(part: Part, event: EventDocument, { sealingKey }: KeyPair): Promise<string | null> {
  if (part.eventId !== event.id) {
    const other = foldedView.get().eventById.get(part.eventId)?.event.name
    return other ? `This application is for ${other}. Scan it on that event’s page.` : refusals['other-event']
  }
  return part.keyPrint === (await keyPrintOf(sealingKey)) ? null : refusals['other-site']
}

/** Takes what a camera or a picture shows, code by code. */
export function useScan(event: EventDocument, keys: KeyPair, userId: number) {
  const [scan, setScan] = useState(atTheStart)
  const collected = useRef(nothingCollected)
  /** The camera sees a code many times, also after its application was taken. */
  const seen = useRef<{ text: string; readonly taken: Set<string> }>({ text: '', taken: new Set() })
  const isBusy = useRef(false)

  const refuse = useCallback((refusal: string) => {
    setScan((before) => ({ ...before, refusal }))
  }, [])
  const take = useCallback(
    async (part: Part) => {
      const refusal = await refusalOf(part, event, keys)
      if (refusal !== null) return refuse(refusal)
      collected.current = withPart(collected.current, part)
      const whole = wholeOf(collected.current, part)
      if (!whole) {
        const progress = progressOf(collected.current)
        setScan({ progress, refusal: null, done: null })
        if (progress) announce(`${progress.read} of ${progress.count} codes`)
        return
      }
      const carried = await openApplication(keys, part, whole)
      // A write that fails leaves the codes collected, and the next look tries again.
      const done = carried && (await handIn(carried, userId))
      collected.current = withoutMessage(collected.current, part)
      if (!done) return setScan({ ...atTheStart, refusal: refusals.broken })
      seen.current.taken.add(part.message)
      setScan({ ...atTheStart, done })
    },
    [event, keys, userId, refuse],
  )
  const read = useCallback(
    async (text: string) => {
      isBusy.current = true
      const part = readCode(text)
      try {
        if (typeof part === 'string') refuse(refusals[part])
        else await take(part)
      } catch (error) {
        refuse(saveFailureText(error))
        seen.current.text = ''
      }
      isBusy.current = false
    },
    [refuse, take],
  )
  const look = useCallback(
    async (text: string) => {
      const { taken, text: before } = seen.current
      if (isBusy.current || text === before) return
      seen.current.text = text
      const part = readCode(text)
      if (typeof part === 'string' || !taken.has(part.message)) await read(text)
    },
    [read],
  )
  /** The camera waits for another code. */
  const again = () => setScan(atTheStart)
  return { scan, look, read, refuse, again }
}
