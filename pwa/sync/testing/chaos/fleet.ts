import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Ledger } from './ledger.ts'
import type { PhoneNetwork } from './network.ts'
import { openPhone, type OrganizerPhone, type Phone, type PhoneOptions } from './phone.ts'
import { signIn } from './sign-in.ts'

const visitorCount = 8
/** How long an organizer's phone rests between two pulls, in milliseconds of this machine. */
const pullEveryMs = 40

/** Opens two phones of Olivia's and those of the volunteers. */
export async function openFleet(
  options: Pick<PhoneOptions, 'network' | 'ledger' | 'random'> & {
    readonly ledger: Ledger
    readonly network: PhoneNetwork
    readonly origin: string
    readonly broken: string[]
  },
) {
  const { origin, network, ledger, random, broken } = options
  const phones: Phone[] = []
  const open = async (given: Pick<PhoneOptions, 'name' | 'userId' | 'address' | 'deviceId' | 'cookie'>) => {
    const phone = await openPhone({
      ...given,
      network,
      ledger,
      random,
      onNews: ({ type }) => {
        if (type === 'sign-in-needed' || type === 'update-needed') broken.push(`${given.name} heard ${type}`)
      },
    })
    phones.push(phone)
    return phone
  }
  async function openOrganizer(name: string): Promise<OrganizerPhone> {
    const { userId, deviceId, cookie } = await signIn(origin, name)
    const phone = await open({ name, userId, address: '10.0.0.1', deviceId, cookie })
    return phone as OrganizerPhone
  }

  const organizers: OrganizerPhone[] = []
  for (const name of ["Olivia's phone", "Olivia's tablet"]) organizers.push(await openOrganizer(name))
  const visitors: Phone[] = []
  for (let index = 0; index < visitorCount; index++)
    visitors.push(
      await open({
        name: `phone of volunteer ${index}`,
        userId: null,
        address: `10.0.1.${index + 1}`,
        deviceId: randomUUID(),
      }),
    )

  let isOver = false
  let pulling: Promise<unknown> = Promise.resolve()
  async function keepPulling(phone: OrganizerPhone): Promise<void> {
    while (!isOver) {
      const { count } = phone.crashes
      await phone.replica.pull().catch((error: unknown) => {
        if (phone.crashes.count === count) broken.push(`a pull of ${phone.name} failed: ${String(error)}`)
      })
      await delay(pullEveryMs)
    }
  }
  return {
    organizers,
    visitors,
    all: [...organizers, ...visitors],
    /** Signs Olivia in on one phone more. */
    openAnother: openOrganizer,
    /** From now on each organizer's phone pulls whenever it can. Resolves when each has seen something. */
    async startPulling() {
      pulling = Promise.all(organizers.map(keepPulling))
      while (organizers.some((phone) => phone.replica.shown().events.length === 0)) await delay(20)
    },
    /** Resolves when the pulls that had begun have ended. */
    async stopPulling() {
      isOver = true
      await pulling
    },
    close: () => phones.forEach((phone) => phone.close()),
  }
}
