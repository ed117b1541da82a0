import type { Passage } from '../content.ts'

export const briefYourBeacons: readonly Passage[] = [
  {
    body: [
      'You chose your Beacons well. Now they stand in a lobby an hour before the doors open, half of them have never met, and all of them are wondering what exactly they are supposed to do. You have a quarter of an hour. This is enough, if you do not use it for a welcome speech.',
    ],
  },
  {
    heading: 'Before they come: one message',
    body: [
      'Send it two days ahead, in the approval mail or by hand. Five lines: where to be and when, whom to ask for, what to wear so that they are seen, what they get, and one question to think about: **which three people in this town would you introduce to each other?** Whoever has an answer is already working.',
    ],
  },
  {
    heading: 'The fifteen minutes',
    body: [
      {
        steps: [
          '**Minutes 0–3: names and fields.** A circle, standing. Each says a name, a field and one person they hope comes tonight. No biographies. Beacons who know each other’s fields can pass guests on, and that is half of the work.',
          '**Minutes 3–6: places.** Give each Beacon a corner, a theme or a kind of guest, and walk there together. Two near the door, always: the first minute decides whether somebody stays.',
          '**Minutes 6–10: the three sentences.** Practise them aloud, in pairs. “Hi, I’m Ben, I’m one of the Beacons. What would make tonight worth it for you? Then you should meet Ana; come, I’ll take you.” It sounds silly for one minute and natural for the rest of the evening.',
          '**Minutes 10–12: the way out.** Show how to leave a conversation: introduce, wait for the first laugh or the first question, step back. A Beacon who stays is a guest who has stopped working.',
          '**Minutes 12–14: what can go wrong.** Somebody corners everyone with a pitch. Somebody is made uncomfortable. Say whom to fetch, and that fetching is right.',
          '**Minute 15: thank them now.** Later there will be no moment for it.',
        ],
      },
    ],
  },
  {
    heading: 'How many introductions is a good evening?',
    body: [
      'Ask for eight per Beacon. It sounds like few, and it is two an hour over four hours, or four over two. With ten Beacons that is eighty pairs of people who would not have talked. Count them if you like: a coin from one pocket to the other for each.',
    ],
  },
  {
    heading: 'During the evening',
    body: [
      'Walk your own floor every half hour and look for three things: people alone for longer than five minutes, Beacons talking to Beacons, and circles with closed backs. Each is repaired by one sentence. Carry the list of Beacons on your phone; it opens without a network, and you will forget a name at the worst moment.',
    ],
  },
  {
    heading: 'Afterwards',
    body: [
      'Five minutes with everyone before they go: what worked, who should meet next time, what was missing. Write it down that night. It is the first page of your next briefing.',
    ],
  },
]
