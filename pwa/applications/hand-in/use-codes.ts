import { useEffect, useState } from 'react'
import { argsOf, mutations, outbox, type Entry } from '../../sync/index.ts'
import { deviceIdentity } from '../../device/device-identity.ts'
import { codesOf } from './sealed-application.ts'

export type Codes = readonly string[] | 'making' | 'gone' | 'too-long' | 'failed'

/** Made once for each time they are shown. */
export function useCodes(sealingKey: string, { seq }: Pick<Entry, 'seq'>): Codes {
  const [codes, setCodes] = useState<Codes>('making')
  useEffect(() => {
    let isOver = false
    const show = (made: Codes) => {
      if (!isOver) setCodes(made)
    }
    makeCodes(sealingKey, seq).then(show, () => show('failed'))
    return () => {
      isOver = true
    }
  }, [sealingKey, seq])
  return codes
}

async function makeCodes(sealingKey: string, seq: number): Promise<Codes> {
  const { id: deviceId } = await deviceIdentity()
  const entry = await outbox.passOn(seq)
  const application = entry && argsOf(entry, mutations.applyAsBeacon)
  if (!application) return 'gone'
  return (await codesOf({ application, key: entry.key, deviceId }, sealingKey)) ?? 'too-long'
}
