import { HallScene } from '../ui/hall-scene.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { ClosingCall } from './closing-call.tsx'
import { passagesOf } from './passages.ts'
import { Passages } from './reading.tsx'

const about = passagesOf(`
Two hundred people come to meet each other. Two hours later most of them have talked to the two they came with and the one at the coffee machine. No one was unfriendly. There was just no one whose job it was to say: **you two should talk.**

Some rooms have such a person. They stand near the door, ask one good question, remember the answer, and walk you across the floor to someone. The evening is different from then on. We call them Beacons.

## What we make
Beaconry lets organizers find those people, choose them, and show them to their guests beforehand. That is all it does. It is not a ticket shop, not a chat, and not a directory of people to sell to.

## How we make it
- **For the hall, not for the office.** Organizers work standing up, with one hand, on a network that lies. So everything is saved on the phone first, and the phone says truthfully what has arrived.
- **One promise, kept.** What you decided happens, once. A tool you have to double-check is a second job.
- **People before data.** A volunteer’s phone number is there so that the organizer can call on the day. It is no use to anyone else, so no one else gets it. [Privacy](/privacy), in plain words.
- **Plain and quick.** Pages are small, load fast on an old phone, and can be used by keyboard and by ear.

## Why a lighthouse
It does not move, it does not shout, and no one has ever needed an account to see one. It is there so that others find their way to each other’s harbour.
`)

export function AboutScreen() {
  return (
    <>
      <TitledPage title="About" lead="Most people leave a networking event having met the two next to them.">
        <div className="hall mb-10 overflow-hidden rounded-box bg-hall pt-8">
          <HallScene className="h-36 sm:h-52" />
        </div>
        <div className="mx-auto max-w-prose text-lg">
          <Passages passages={about} />
        </div>
      </TitledPage>
      <ClosingCall />
    </>
  )
}
