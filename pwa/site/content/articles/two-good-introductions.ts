import type { Passage } from '../content.ts'

export const twoGoodIntroductions: readonly Passage[] = [
  {
    body: [
      'Twenty handshakes leave you with a pocket full of cards. Two good introductions leave four people with something to do on Monday. Introducing is a craft, it takes ten minutes to learn, and it is most of what a Beacon does.',
    ],
  },
  {
    heading: 'First, find out what somebody wants',
    body: [
      '“What do you do?” gets a job title. These get a direction:',
      {
        list: [
          '“What would make tonight worth it for you?”',
          '“What are you stuck on at the moment?”',
          '“What do people ask you about?” For those who came to give rather than to find.',
        ],
      },
      'Then be quiet for three seconds longer than is comfortable. The second half of the answer is the useful one.',
    ],
  },
  {
    heading: 'Three sentences',
    body: [
      {
        steps: [
          '**Names, twice.** “Ana, this is Bo. Bo, Ana.” Both have forgotten one of the two by now; you will say them again at the end.',
          '**Why them.** One concrete thing about each that the other can use: “Bo opened three clinics in two years. Ana is about to open her first.” Not titles: verbs.',
          '**The first question.** Hand one of them the opening: “Bo, what would you do differently with the first one?” Now somebody has to speak, and it is not you.',
        ],
      },
      'If you cannot finish the second sentence, do not make the introduction. A vague one costs two people ten minutes and teaches them to avoid you.',
    ],
  },
  {
    heading: 'Ask before you walk somebody over',
    body: [
      '“May I introduce you to somebody who is hiring in your field?” People who can say no, and have not, arrive with their shoulders down. The same goes for the other side: catch their eye first, and do not break into a conversation that is going well.',
    ],
  },
  {
    heading: 'Leave',
    body: [
      'Stay for the first answer. When one of them asks a question back, you are done: say both names once more, step back, go. It feels abrupt to you and to nobody else.',
    ],
  },
  {
    heading: 'The people who are hard to introduce',
    body: [
      {
        list: [
          '**The one who pitches.** Introduce them to one person who asked for exactly that, and to nobody else.',
          '**The one who says “oh, nothing special”.** Ask what they did last Tuesday. There is always something in a Tuesday.',
          '**The one everybody wants.** Bring three people at once with one shared question. It saves the evening of all four.',
          '**The one who wants to be alone.** Let them. Show where the quiet corner and the coffee are, and come back in half an hour.',
        ],
      },
    ],
  },
  {
    heading: 'Keep score',
    body: [
      'An introduction was good if the two are still talking when you next look. Nothing else counts: not how long it took, not how clever it was. Two of those in an hour, and you are [the Beacon](/resources) people ask for by name next time.',
    ],
  },
]
