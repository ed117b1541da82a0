import type { EventFields } from '#shared/events/event-record.ts'
/** An event of the demo; `startsInDays` and `lasts` are calendar days where the event is. */
export interface DemoEvent {
  organizer: 'olivia' | 'otto'
  name: string
  description: string
  startsInDays: number
  lasts: number
  startTime: string | null
  endTime: string | null
  location: string
  address: string
  city: string
  state: EventFields['state']
  zipCode: string
  timeZone: string
  latitude: number
  longitude: number
  registrationUrl: string | null
  beaconIncentives: string
  beaconInstructions?: string
  promoCode?: string
  emailSubject?: string
  emailBody?: string
  customQuestions?: string[]
  showDefaultQuestions?: boolean
  maxBeacons?: number
  closesDaysBefore?: number
}

const INDUSTRIES = 'Which industries do you know best? *'
const BRIEFING = 'Can you join the Beacon briefing 45 minutes before doors open? *'
const SPEAKERS = 'Is there a speaker on the programme you know personally?'
const LANGUAGES = 'Which languages can you hold a conversation in? *'

/** Real venues with their real ZIP codes; the events themselves are invented. */
export const demoEvents = {
  chicago: {
    organizer: 'olivia',
    name: 'Founders & Funders Night',
    description:
      'Two hundred founders, angels and seed investors from the Midwest on one floor for one evening. No pitches from a stage: the room is split into six themed corners, from climate hardware to care at home, and every corner has a Beacon who knows who is there and whom you should meet.\n\nDoors open at 6 pm. There is a quiet room for first meetings that turn serious, and a coat check for the ones that last.',
    startsInDays: 9,
    lasts: 1,
    startTime: '18:00',
    endTime: '21:30',
    location: 'theMART',
    address: '222 W Merchandise Mart Plaza',
    city: 'Chicago',
    state: 'Illinois',
    zipCode: '60654',
    timeZone: 'America/Chicago',
    latitude: 41.8885,
    longitude: -87.6355,
    registrationUrl: 'https://example.com/tickets/founders-and-funders',
    beaconIncentives:
      'Free ticket worth $120, dinner with the speakers the evening before, and your name and company on the corner you host.',
    beaconInstructions:
      'Please be at the north lobby desk at 5:15 pm. Ask for Olivia, pick up your lantern pin and a charged radio, and walk your corner once before doors open.',
    promoCode: 'BEACON-CHI',
    customQuestions: [INDUSTRIES, BRIEFING],
    maxBeacons: 12,
  },
  portland: {
    organizer: 'olivia',
    name: 'Portland Makers Evening',
    description:
      'Ceramicists, frame builders, synthesizer people and the shops that sell their work. Bring something you made and something that went wrong. Beacons introduce makers to the retailers and repairers who have asked to meet them.',
    startsInDays: 0,
    lasts: 1,
    startTime: '17:30',
    endTime: '21:00',
    location: 'Oregon Convention Center',
    address: '777 NE Martin Luther King Jr Blvd',
    city: 'Portland',
    state: 'Oregon',
    zipCode: '97232',
    timeZone: 'America/Los_Angeles',
    latitude: 45.5286,
    longitude: -122.6633,
    registrationUrl: 'https://example.com/tickets/portland-makers',
    beaconIncentives: 'Free entry for you and a friend, and a table to show your own work in the second hour.',
    beaconInstructions: 'Meet at the Oregon Ballroom doors at 4:45 pm.',
  },
  sanFrancisco: {
    organizer: 'olivia',
    name: 'Women in Engineering Breakfast',
    description:
      'A small breakfast on the waterfront for women who build software, bridges, batteries and everything between. Forty seats at eight tables. Each table has a Beacon who keeps the talk moving and makes sure that nobody leaves without the two people they came for.',
    startsInDays: 14,
    lasts: 1,
    startTime: '08:00',
    endTime: '10:30',
    location: 'Fort Mason Center for Arts & Culture',
    address: '2 Marina Blvd',
    city: 'San Francisco',
    state: 'California',
    zipCode: '94123',
    timeZone: 'America/Los_Angeles',
    latitude: 37.8066,
    longitude: -122.4311,
    registrationUrl: null,
    beaconIncentives: 'Breakfast, a seat at the table you host, and a year of the monthly mentoring circle.',
    maxBeacons: 8,
  },
  austin: {
    organizer: 'olivia',
    name: 'Lone Star Product Summit',
    description:
      'Two days for people who decide what gets built. Workshops in the morning, open conversations in the afternoon, barbecue at night. Beacons host the open conversations: they know the topics people signed up for and bring the right five strangers together.',
    startsInDays: 21,
    lasts: 2,
    startTime: '09:00',
    endTime: '17:00',
    location: 'Palmer Events Center',
    address: '900 Barton Springs Rd',
    city: 'Austin',
    state: 'Texas',
    zipCode: '78704',
    timeZone: 'America/Chicago',
    latitude: 30.2598,
    longitude: -97.7531,
    registrationUrl: 'https://example.com/tickets/lone-star-product',
    beaconIncentives: 'Two-day pass worth $450, speaker dinner on the first night, 30% off for three colleagues.',
    beaconInstructions: 'Beacon briefing at 8:15 am on both days, upstairs in Hall 1.',
    promoCode: 'LONESTAR30',
    emailSubject: 'You are a Beacon at [Event Name], [Beacon Name]!',
    emailBody:
      'Hi [Beacon Name],\n\nWe would love to have you as a Beacon at [Event Name] on [Event Date], at [Event Location].\n\n[Custom Instructions]\n\nYour colleagues get 30% off with the code [Promo Code].\n\nSee you by the river,\nOlivia',
    customQuestions: [SPEAKERS],
    closesDaysBefore: 4,
  },
  washington: {
    organizer: 'olivia',
    name: 'Capital Civic Tech Lunch',
    description:
      'A working lunch for people who make public services work: agency staff, contractors, researchers and the volunteers who fix forms at the weekend. Badges carry what you need instead of your title. Beacons read them aloud, kindly.',
    startsInDays: 28,
    lasts: 1,
    startTime: '12:00',
    endTime: '14:00',
    location: 'Walter E. Washington Convention Center',
    address: '801 Mt Vernon Pl NW',
    city: 'Washington, DC',
    state: null,
    zipCode: '20001',
    timeZone: 'America/New_York',
    latitude: 38.9049,
    longitude: -77.023,
    registrationUrl: 'https://example.com/tickets/capital-civic-tech',
    beaconIncentives: 'Lunch, a travel stipend of $60, and first pick of the afternoon workshops.',
    customQuestions: ['Which public service have you worked on? *', LANGUAGES],
    showDefaultQuestions: false,
  },
  denver: {
    organizer: 'olivia',
    name: 'Rocky Mountain Climate Tech Mixer',
    description:
      'Grid batteries, heat pumps, snowpack sensors and the money behind them. An informal evening after the first day of the regional energy week. Beacons are posted at the long tables and match newcomers with people two steps ahead of them.',
    startsInDays: 35,
    lasts: 1,
    startTime: '18:30',
    endTime: '21:30',
    location: 'Colorado Convention Center',
    address: '700 14th St',
    city: 'Denver',
    state: 'Colorado',
    zipCode: '80202',
    timeZone: 'America/Denver',
    latitude: 39.7426,
    longitude: -104.9969,
    registrationUrl: 'https://example.com/tickets/climate-tech-mixer',
    beaconIncentives:
      'Free entry, a reserved seat at the investor roundtable, and a contact sheet of everyone who agreed to be on it.',
    maxBeacons: 10,
  },
  newYork: {
    organizer: 'olivia',
    name: 'Empire State Analytics Forum',
    description:
      'Three days on numbers people act on. Newsrooms, hospitals, transit and retail compare what they measure and what they stopped measuring. Beacons run the hallway: every break has five topic posts, and a Beacon stands at each.',
    startsInDays: 48,
    lasts: 3,
    startTime: '09:30',
    endTime: '18:00',
    location: 'Javits Center',
    address: '429 11th Ave',
    city: 'New York',
    state: 'New York',
    zipCode: '10001',
    timeZone: 'America/New_York',
    latitude: 40.7577,
    longitude: -74.0025,
    registrationUrl: 'https://example.com/tickets/empire-state-analytics',
    beaconIncentives: 'Three-day pass worth $900, hotel discount, and an invitation to the closing dinner.',
    customQuestions: [LANGUAGES],
  },
  detroit: {
    organizer: 'olivia',
    name: 'Motor City Mobility Meetup',
    description:
      'Suppliers, software people and city planners on how Detroit moves next. One evening above the river with short demos on the concourse. Beacons walked every newcomer to three people before the first demo began.',
    startsInDays: -20,
    lasts: 1,
    startTime: '17:00',
    endTime: '20:30',
    location: 'Huntington Place',
    address: '1 Washington Blvd',
    city: 'Detroit',
    state: 'Michigan',
    zipCode: '48226',
    timeZone: 'America/Detroit',
    latitude: 42.3283,
    longitude: -83.049,
    registrationUrl: null,
    beaconIncentives: 'Free entry, parking, and a signed print of the evening.',
  },
  phoenix: {
    organizer: 'olivia',
    name: 'Desert Design Weekend',
    description:
      'A weekend for people who design for heat: buildings, shade, clothes, software for crews who work outside. Portfolio walks at sunrise, talks in the dark, introductions all day.',
    startsInDays: -76,
    lasts: 2,
    startTime: '06:30',
    endTime: '12:00',
    location: 'Phoenix Convention Center',
    address: '100 N 3rd St',
    city: 'Phoenix',
    state: 'Arizona',
    zipCode: '85004',
    timeZone: 'America/Phoenix',
    latitude: 33.4487,
    longitude: -112.0696,
    registrationUrl: null,
    beaconIncentives: 'Weekend pass and breakfast on both days.',
  },
  boston: {
    organizer: 'otto',
    name: 'Harbor Health Innovators',
    description:
      'Nurses, device makers, hospital buyers and patients who have had enough of waiting rooms, for one afternoon with no slides. Beacons make the introductions that a badge cannot.',
    startsInDays: 17,
    lasts: 1,
    startTime: '14:00',
    endTime: '18:00',
    location: 'Hynes Convention Center',
    address: '900 Boylston St',
    city: 'Boston',
    state: 'Massachusetts',
    zipCode: '02115',
    timeZone: 'America/New_York',
    latitude: 42.3478,
    longitude: -71.0864,
    registrationUrl: 'https://example.com/tickets/harbor-health',
    beaconIncentives: 'Free ticket and a guided visit to the simulation hospital the morning after.',
  },
  anchorage: {
    organizer: 'otto',
    name: 'Northern Lights Small Business Day',
    description:
      'Outfitters, bakers, bookkeepers and the people who ship things to places without roads. One long day indoors in good company. Beacons pair businesses that could share a boat, a bay or a booking system.',
    startsInDays: 40,
    lasts: 1,
    startTime: '10:00',
    endTime: '16:00',
    location: "Dena'ina Civic and Convention Center",
    address: '600 W 7th Ave',
    city: 'Anchorage',
    state: 'Alaska',
    zipCode: '99501',
    timeZone: 'America/Anchorage',
    latitude: 61.2158,
    longitude: -149.8949,
    registrationUrl: null,
    beaconIncentives: 'Free entry, lunch, and a seat on the evening harbor tour.',
  },
  honolulu: {
    organizer: 'otto',
    name: 'Pacific Remote Work Retreat',
    description:
      'Three days for people whose colleagues are an ocean away. Mornings for work, afternoons for each other. Beacons look after those who came alone, which is nearly everyone.',
    startsInDays: 60,
    lasts: 3,
    startTime: null,
    endTime: null,
    location: 'Hawaiʻi Convention Center',
    address: '1801 Kalākaua Ave',
    city: 'Honolulu',
    state: 'Hawaii',
    zipCode: '96815',
    timeZone: 'Pacific/Honolulu',
    latitude: 21.2904,
    longitude: -157.837,
    registrationUrl: 'https://example.com/tickets/pacific-remote',
    beaconIncentives: 'Half price on the retreat and a reserved desk by the window.',
  },
} as const satisfies Record<string, DemoEvent>

export type DemoEventKey = keyof typeof demoEvents
