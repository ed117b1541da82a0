import { apiOf } from '../client.ts'
import { busiestEvent, holdOn } from '../applications/applicants.ts'
import { olivia, otto } from '../journey.ts'
import { expectCopied, expectText, signIn, test } from '../webkit-journey.ts'

test('a reviewer on an iPhone joins and is ready for the floor @nightly', async ({
  webkit,
  server: { origin },
  db,
}) => {
  const { eventId } = await busiestEvent(db)
  await holdOn(db, eventId, [0, 1])
  const organizer = await apiOf(origin, olivia)
  const { token } = await (await organizer('/api/team/invitations', { role: 'reviewer' })).json()
  await signIn(webkit, origin, otto)
  await webkit.open(`${origin}/team/join#${token}`)
  await expectText(webkit, 'asks you to help with their events')
  await webkit.pressNamed('Join the Team')
  await expectText(webkit, /You are helping/)
  await expectCopied(webkit)

  await webkit.open(`${origin}/events/manage/${eventId}/ready`)
  await webkit.pressNamed('Check now')
  for (const text of [
    /The same as on the server, with \d+ applications/,
    'It shows the same time as the server.',
    'Everything you changed is saved online.',
    'All of the app is on this device.',
    'saved an approval on this device and took it back.',
  ])
    await expectText(webkit, text)
})
