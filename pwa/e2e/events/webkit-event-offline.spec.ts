import { springYear } from './event-form.ts'
import { expect } from '../journey.ts'
import { expectText, signIn, test } from '../webkit-journey.ts'

/** The arrow to the right leads to the next part of a field, where no separator does. */
const next = '\uE014'

const texts = {
  name: 'Lanterns on the Pier',
  description: 'Two hours of good talk.',
  location: 'Pier 27',
  address: 'Pier 27, The Embarcadero',
  state: 'California',
  beaconIncentives: 'Dinner.',
}

test('an event created in WebKit without a server arrives once with its dates and times @nightly', async ({
  webkit,
  server,
  db,
}) => {
  await signIn(webkit, server.origin)
  await server.kill()
  await webkit.open(`${server.origin}/events/create`)
  const times = {
    startDate: `05/09/${springYear}`,
    endDate: `05/10/${springYear}`,
    startTime: `06:30${next}PM`,
    endTime: `01:15${next}AM`,
    applicationsCloseAt: `05/08/${springYear},12:00${next}PM`,
  }
  for (const [name, typed] of Object.entries({ ...texts, ...times })) await webkit.type(`form [name="${name}"]`, typed)
  await webkit.pressNamed('Create Event')
  await expectText(webkit, 'Your event is saved on this device')
  expect(await db('events').where({ name: texts.name }), 'the server is dead').toEqual([])

  await server.start()
  const stored = () => db('events').where({ name: texts.name }).select()
  await expect.poll(async () => (await stored()).length).toBe(1)
  await webkit.open(`${server.origin}/sync`)
  await expectText(webkit, 'Everything is saved online.')
  expect(await stored(), 'one event').toMatchObject([
    {
      ...texts,
      startDate: `${springYear}-05-09`,
      endDate: `${springYear}-05-10`,
      startTime: '18:30',
      endTime: '01:15',
      applicationsCloseAt: `${springYear}-05-08T12:00`,
    },
  ])
})

test('a time that is typed in part in WebKit is asked for, not left out @nightly', async ({ webkit, server }) => {
  await signIn(webkit, server.origin)
  await webkit.open(`${server.origin}/events/create`)
  const times = { startDate: `05/09/${springYear}`, endDate: `05/10/${springYear}`, startTime: '06:30' }
  for (const [name, typed] of Object.entries({ ...texts, ...times })) await webkit.type(`form [name="${name}"]`, typed)
  await webkit.pressNamed('Create Event')
  await expectText(webkit, 'Enter all of it, or clear it', 'form')
  await webkit.type('form [name="startTime"]', `${next}${next}PM`)
  await webkit.pressNamed('Create Event')
  await expectText(webkit, 'Customize', 'h1')
})
