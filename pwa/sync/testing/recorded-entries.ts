/** An entry as the disk holds it, what it must send, and what the queue calls it. */
interface Recorded {
  readonly entry: unknown
  readonly sends: object
  readonly label: string
}

function recorded(
  seq: number,
  mutation: string,
  lane: string,
  label: string,
  args: object,
  sends: object,
  also: object = {},
): Recorded {
  const key = `3f0c7f3e-9f4e-4b53-9a40-0d3f5f0a1c${String(seq).padStart(2, '0')}`
  const plain = {
    userId: 1,
    argsVersion: 1,
    createdAt: '2026-11-21T08:00:00.000Z',
    state: 'queued',
    attempts: 0,
    nextAt: 0,
  }
  return { entry: { seq, key, lane, mutation, args, ...plain, ...also }, sends, label }
}

const eventFields = {
  name: 'Founders Mixer',
  description: 'An evening for founders.',
  startDate: '2026-12-01',
  endDate: '2026-12-01',
  startTime: '18:30',
  endTime: '21:00',
  location: 'Pier 27',
  address: '1 The Embarcadero',
  city: 'San Francisco',
  state: 'California',
  zipCode: '94111',
  registrationUrl: null,
  beaconIncentives: 'Free ticket',
  beaconInstructions: null,
  promoCode: null,
  applicationsCloseAt: null,
  maxBeacons: 10,
  applicationsClosed: false,
}

const benFields = {
  firstName: 'Ben',
  lastName: 'Berg',
  email: 'ben@example.com',
  phone: null,
  linkedinUrl: null,
  company: 'Acme',
  jobTitle: null,
  experience: '1-2 times',
  expertise: 'Introductions',
  whyBeacon: 'I like people.',
  networkingStyle: 'Calm',
  bio: 'Ben knows everyone.',
  customAnswers: [{ question: 'Which languages do you speak?*', answer: 'English' }],
}

const toEvent1 = { eventId: 1, eventName: 'Founders Mixer' }
const aVisitors = { userId: null }

/** What Olivia notes about Bea. */
function mark(seq: number, lane: string, label: string, wish: object, body: object = wish): Recorded {
  const args = { applicationId: 7, eventId: 1, name: 'Bea Brook', ...wish }
  return recorded(seq, 'mark-application', lane, label, args, {
    route: 'markApplication',
    params: { beaconId: 7 },
    body,
  })
}

/** What Ben does about his own application. */
function own(seq: number, mutation: string, route: string, label: string, wish: object, body: object = wish): Recorded {
  const token = 'a-token-of-bens'
  const args = { applicationId: 7, ...toEvent1, token, ...wish }
  return recorded(seq, mutation, 'own-application:7', label, args, { route, body: { token, ...body } }, aVisitors)
}

const ben = { name: 'Ben Berg' }
const picture = 'UklGRg=='
const type = 'image/webp'

/** From version 1.0 on the list only grows, and nothing in it is corrected. */
export const recordedEntries: readonly Recorded[] = [
  recorded(
    1,
    'create-event',
    'event:410100000001',
    'Create Founders Mixer',
    {
      id: 410100000001,
      organizerId: 1,
      timeZone: 'America/Los_Angeles',
      createdAt: '2026-11-21T08:00:00.000Z',
      fields: eventFields,
    },
    { route: 'createEvent', body: { id: 410100000001, name: 'Founders Mixer', maxBeacons: 10 } },
  ),
  recorded(
    2,
    'update-event',
    'event:410100000001',
    'Edit Founders Mixer II',
    {
      id: 410100000001,
      basis: '3f0c7f3e-9f4e-4b53-9a40-0d3f5f0a1c01',
      aFieldOfTheFuture: true,
      fields: {
        ...eventFields,
        name: 'Founders Mixer II',
        endDate: '2026-12-02',
        startTime: null,
        endTime: null,
        city: null,
        state: null,
        zipCode: null,
        registrationUrl: 'https://example.com/mixer',
        beaconInstructions: 'Come early',
        promoCode: 'BEACON',
        maxBeacons: null,
        applicationsClosed: true,
        aFieldOfTheFuture: 'dress code',
      },
    },
    { route: 'updateEvent', params: { id: 410100000001 }, body: { name: 'Founders Mixer II' } },
    { aFieldOfTheFuture: 1, state: 'sending', attempts: 2 },
  ),
  recorded(
    3,
    'customize-event',
    'event:410100000001',
    'Customize Founders Mixer II',
    {
      id: 410100000001,
      name: 'Founders Mixer II',
      basis: '3f0c7f3e-9f4e-4b53-9a40-0d3f5f0a1c02',
      fields: {
        customBeaconEmailSubject: 'Welcome, [Beacon Name]',
        customBeaconEmailBody: null,
        customQuestions: ['Which languages do you speak?*'],
        showDefaultQuestions: false,
      },
    },
    { route: 'customizeEvent', params: { eventId: 410100000001 }, body: { showDefaultQuestions: false } },
  ),
  recorded(
    4,
    'decide-application',
    'application:7',
    'Revoke Approval Bea Brook',
    {
      applicationId: 7,
      eventId: 1,
      name: 'Bea Brook',
      status: 'rejected',
      from: 'approved',
      basis: '0c5a3e1f9b7d2846a1c3e5f7',
    },
    { route: 'decideApplication', params: { beaconId: 7 }, body: { status: 'rejected' } },
    { state: 'held', nextAt: 1763712188000 },
  ),
  recorded(
    5,
    'delete-event',
    'event:2',
    'Delete Book Night',
    { id: 2, name: 'Book Night', basis: null },
    { route: 'deleteEvent', params: { id: 2 } },
    { attempts: 1, nextAt: 1763712188000 },
  ),
  recorded(
    6,
    'apply-as-beacon',
    'apply:1:ben@example.com',
    'Ben Berg applies for Founders Mixer',
    { id: 410100000002, ...toEvent1, filledInMs: 61000, website: '', fields: benFields },
    {
      route: 'applyAsBeacon',
      params: { eventId: 1 },
      body: { id: 410100000002, email: 'ben@example.com', filledInMs: 61000 },
    },
    aVisitors,
  ),
  recorded(
    7,
    'decide-application',
    'application:9',
    'Reject Bo Byrne',
    {
      applicationId: 9,
      eventId: 2,
      name: 'Bo Byrne',
      status: 'rejected',
      from: 'pending',
      basis: null,
      tellApplicant: false,
    },
    { route: 'decideApplication', params: { beaconId: 9 }, body: { status: 'rejected', tellApplicant: false } },
  ),
  mark(
    8,
    'marks:7',
    'Note about Bea Brook',
    { note: 'Speaks Spanish', aFieldOfTheFuture: 'red' },
    { note: 'Speaks Spanish' },
  ),
  mark(9, 'application:7', 'Bea Brook has arrived', { present: true, seenAt: '2026-12-01T18:20:00.000Z' }),
  own(
    10,
    'correct-application',
    'correctApplication',
    'Correct the application of Ben Berg for Founders Mixer',
    { fields: { ...benFields, experience: '3-5 times', customAnswers: [] } },
    { experience: '3-5 times' },
  ),
  own(
    11,
    'withdraw-application',
    'withdrawApplication',
    'Withdraw the application of Ben Berg for Founders Mixer',
    ben,
    {},
  ),
  own(
    16,
    'apply-again',
    'applyAgain',
    'Ben Berg applies again for Founders Mixer',
    { ...ben, finishedAt: '2026-11-27T18:20:00.000Z' },
    { finishedAt: '2026-11-27T18:20:00.000Z' },
  ),
  own(14, 'set-face', 'setFace', 'Photo of Ben Berg for Founders Mixer', { ...ben, picture, type }, { picture }),
  own(15, 'remove-face', 'removeFace', 'Remove the photo of Ben Berg for Founders Mixer', ben, {}),
  own(
    13,
    'say-coming',
    'sayComing',
    'Ben Berg can’t be at Founders Mixer',
    { ...ben, coming: false },
    { coming: false },
  ),
  own(
    17,
    'check-in',
    'checkIn',
    'Ben Berg is at Founders Mixer',
    { ...ben, seenAt: '2026-12-01T18:20:00.000Z' },
    { seenAt: '2026-12-01T18:20:00.000Z' },
  ),
  recorded(
    12,
    'retry-mail',
    'mail:31',
    'Send the email to Bea Brook again',
    { mailId: 31, eventId: 1, applicationId: 7, name: 'Bea Brook', aFieldOfTheFuture: 'urgent' },
    { route: 'retryMail', params: { id: 31 } },
  ),
  recorded(
    16,
    'send-message',
    'message:510100000001',
    'Message to 2 people of Founders Mixer',
    {
      id: 510100000001,
      eventId: 1,
      eventName: 'Founders Mixer',
      audience: 'coming',
      applicationIds: [7, 8],
      text: 'See you at [Event Location].',
      writtenAt: '2026-11-21T08:00:00.000Z',
    },
    {
      route: 'sendMessage',
      params: { id: 1 },
      body: {
        id: 510100000001,
        audience: 'coming',
        applicationIds: [7, 8],
        text: 'See you at [Event Location].',
      },
    },
  ),
  recorded(
    18,
    'add-walk-in',
    'application:510100000002',
    'Take in Wanda Walker',
    {
      id: 510100000002,
      eventId: 1,
      firstName: 'Wanda',
      lastName: 'Walker',
      company: null,
      email: '',
      seenAt: '2026-11-21T08:00:00.000Z',
    },
    {
      route: 'addWalkIn',
      params: { id: 1 },
      body: {
        id: 510100000002,
        firstName: 'Wanda',
        lastName: 'Walker',
        company: null,
        email: '',
        seenAt: '2026-11-21T08:00:00.000Z',
      },
    },
  ),
  recorded(
    17,
    'cancel-message',
    'message:510100000001',
    'Take back a message to people of Founders Mixer',
    { id: 510100000001, eventId: 1, eventName: 'Founders Mixer' },
    { route: 'cancelMessage', params: { id: 510100000001 } },
  ),
  mark(40, 'marks:7', 'Note about Bea Brook', { note: 'Met in Berlin', noteOver: 'Speaks Spanish' }),
  mark(41, 'marks:7', 'Remove another note about Bea Brook', { forgetNote: 'Speaks Spanish' }),
  mark(42, 'marks:7', 'Agree to the changes of Bea Brook', { changesSeen: '2026-11-22T08:00:00.000Z' }),
  recorded(
    47,
    'correct-email',
    'application:7',
    'Correct the email address of Bea Brook',
    { applicationId: 7, eventId: 1, name: 'Bea Brook', email: 'bea@example.com', aFieldOfTheFuture: 'red' },
    { route: 'correctEmail', params: { beaconId: 7 }, body: { email: 'bea@example.com' } },
  ),
  mark(44, 'application:7', 'Bea Brook has arrived', {
    present: true,
    day: '2026-12-01',
    seenAt: '2026-12-01T18:20:00.000Z',
  }),
  mark(45, 'application:7', 'Bea Brook did not come', { present: false, day: '2026-12-02' }),
  mark(46, 'application:7', 'Bea Brook has not arrived', { present: null, day: '2026-12-02' }),
  mark(43, 'application:7', 'Bea Brook: Door 6–8 PM', { post: 'Door 6–8 PM' }),
  recorded(
    60,
    'set-event-cover',
    'event:1',
    'Upload a cover for Founders Mixer',
    { id: 1, name: 'Founders Mixer', picture, type },
    { route: 'setEventCover', params: { id: 1 }, body: { picture } },
  ),
  recorded(
    61,
    'remove-event-cover',
    'event:1',
    'Remove the cover of Founders Mixer',
    { id: 1, name: 'Founders Mixer' },
    { route: 'removeEventCover', params: { id: 1 } },
  ),
  recorded(
    50,
    'cancel-event',
    'event:1',
    'Cancel Founders Mixer',
    { id: 1, name: 'Founders Mixer', cancelledAt: '2026-11-27T18:20:00.000Z' },
    { route: 'cancelEvent', params: { id: 1 } },
  ),
  recorded(
    51,
    'reinstate-event',
    'event:1',
    'Take back the cancellation of Founders Mixer',
    { id: 1, name: 'Founders Mixer' },
    { route: 'reinstateEvent', params: { id: 1 } },
  ),
  recorded(
    70,
    'apply-as-beacon',
    'apply:1:ben@example.com',
    'Ben Berg applies for Founders Mixer',
    { id: 410100000003, ...toEvent1, filledInMs: 61000, cameFrom: 'share', website: '', fields: benFields },
    { route: 'applyAsBeacon', params: { eventId: 1 }, body: { id: 410100000003, cameFrom: 'share' } },
    aVisitors,
  ),
  recorded(
    71,
    'hand-in-application',
    'application:410100000004',
    'Add the application of Ben Berg',
    {
      application: {
        id: 410100000004,
        ...toEvent1,
        fields: benFields,
        filledInMs: 61000,
        finishedAt: '2026-11-21T08:00:00.000Z',
      },
      key: '3f0c7f3e-9f4e-4b53-9a40-0d3f5f0a1d01',
      deviceId: 'b1c7f3e0-9f4e-4b53-9a40-0d3f5f0a1d02',
      scannedAt: '2026-11-21T08:10:00.000Z',
    },
    {
      route: 'handInApplication',
      params: { id: 1 },
      body: {
        key: '3f0c7f3e-9f4e-4b53-9a40-0d3f5f0a1d01',
        deviceId: 'b1c7f3e0-9f4e-4b53-9a40-0d3f5f0a1d02',
        application: { id: 410100000004, filledInMs: 61000, finishedAt: '2026-11-21T08:00:00.000Z' },
      },
    },
  ),
]
