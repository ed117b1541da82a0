/** `passagesOf` reads their markup. The key is the last part of the article's address. */
export const articleTexts: Readonly<Record<string, string>> = {
  'brief-your-beacons': `
You chose your Beacons well. Now they stand in a lobby an hour before the doors open, half of them have never met, and all of them are wondering what exactly they are supposed to do. You have a quarter of an hour. This is enough, if you do not use it for a welcome speech.

## Before they come: one message
Send it two days ahead, in the approval mail or by hand. Five lines: where to be and when, whom to ask for, what to wear so that they are seen, what they get, and one question to think about: **which three people in this town would you introduce to each other?** Whoever has an answer is already working.

## The fifteen minutes
1. **Minutes 0–3: names and fields.** A circle, standing. Each says a name, a field and one person they hope comes tonight. No biographies. Beacons who know each other’s fields can pass guests on, and that is half of the work.
2. **Minutes 3–6: places.** Give each Beacon a corner, a theme or a kind of guest, and walk there together. Two near the door, always: the first minute decides whether someone stays.
3. **Minutes 6–10: the three sentences.** Practise them aloud, in pairs. “Hi, I’m Ben, I’m one of the Beacons. What would make tonight worth it for you? Then you should meet Ana; come, I’ll take you.” It sounds silly for one minute and natural for the rest of the evening.
4. **Minutes 10–12: the way out.** Show how to leave a conversation: introduce, wait for the first laugh or the first question, step back. A Beacon who stays is a guest who has stopped working.
5. **Minutes 12–14: what can go wrong.** Someone corners everyone with a pitch. Someone is made uncomfortable. Say whom to fetch, and that fetching is right.
6. **Minute 15: thank them now.** Later there will be no moment for it.

## How many introductions is a good evening?
Ask for eight per Beacon. It sounds like few, and it is two an hour over four hours, or four over two. With ten Beacons that is eighty pairs of people who would not have talked. Count them if you like: a coin from one pocket to the other for each.

## During the evening
Walk your own floor every half hour and look for three things: people alone for longer than five minutes, Beacons talking to Beacons, and circles with closed backs. Each is repaired by one sentence. Carry the list of Beacons on your phone; it opens without a network, and you will forget a name at the worst moment.

## Afterwards
Five minutes with everyone before they go: what worked, who should meet next time, what was missing. Write it down that night. It is the first page of your next briefing.
`,

  'two-good-introductions': `
Twenty handshakes leave you with a pocket full of cards. Two good introductions leave four people with something to do on Monday. Introducing is a craft, it takes ten minutes to learn, and it is most of what a Beacon does.

## First, find out what someone wants
“What do you do?” gets a job title. These get a direction:

- “What would make tonight worth it for you?”
- “What are you stuck on at the moment?”
- “What do people ask you about?” For those who came to give rather than to find.

Then be quiet for three seconds longer than is comfortable. The second half of the answer is the useful one.

## Three sentences
1. **Names, twice.** “Ana, this is Bo. Bo, Ana.” Both have forgotten one of the two by now; you will say them again at the end.
2. **Why them.** One concrete thing about each that the other can use: “Bo opened three clinics in two years. Ana is about to open her first.” Not titles: verbs.
3. **The first question.** Hand one of them the opening: “Bo, what would you do differently with the first one?” Now someone has to speak, and it is not you.

If you cannot finish the second sentence, do not make the introduction. A vague one costs two people ten minutes and teaches them to avoid you.

## Ask before you walk someone over
“May I introduce you to someone who is hiring in your field?” People who can say no, and have not, arrive with their shoulders down. The same goes for the other side: catch their eye first, and do not break into a conversation that is going well.

## Leave
Stay for the first answer. When one of them asks a question back, you are done: say both names once more, step back, go. It feels abrupt to you and to no one else.

## The people who are hard to introduce
- **The one who pitches.** Introduce them to one person who asked for exactly that, and to no one else.
- **The one who says “oh, nothing special”.** Ask what they did last Tuesday. There is always something in a Tuesday.
- **The one everybody wants.** Bring three people at once with one shared question. It saves the evening of all four.
- **The one who wants to be alone.** Let them. Show where the quiet corner and the coffee are, and come back in half an hour.

## Keep score
An introduction was good if the two are still talking when you next look. Nothing else counts: not how long it took, not how clever it was. Two of those in an hour, and you are [the Beacon](/resources) people ask for by name next time.
`,

  'when-the-wifi-gives-up': `
At five o’clock you try the venue’s wifi, and it is fast. At half past six two hundred phones arrive and it is gone. The mobile network goes with it, because the hall is made of concrete and everyone outside is looking for the entrance. This happens at most events and surprises most organizers. It does not have to.

## Why it breaks
A wireless access point shares one conversation between everybody near it. Thirty phones are a dinner table; two hundred are a stadium. Each phone also brings its own habits: photos going to a cloud, updates, messages. The network does not say “no”. It says “wait”, for ever, with full bars. And some venues answer every page with their own log-in page, which many apps take for a success.

## The evening before
1. **Open what you will need, once, on the phone you will carry.** The event, the list of Beacons, the applications. In Beaconry what you have opened stays; other tools may need an export.
2. **Put it on the home screen.** Installed apps are less likely to have their storage cleared by the browser.
3. **Switch to flight mode and try it.** Two minutes, in your kitchen. Open the app, approve a test applicant, undo it. If something does not work there, it will not work in the hall.
4. **Charge, and pack a battery.** A phone that is looking for a network empties twice as fast.
5. **Agree on a place.** “North lobby desk, on the hour” needs no signal at all.

## In the hall
- **Decide as if you were online.** If your tool queues what you do, the time you save is tonight’s. Read what it says: “saved on this device” is not yet “sent”, and both are fine until midnight.
- **Do not log in and out.** Signing in is the one thing that always needs a network. Stay signed in, on two devices if you can.
- **Do not refresh.** A page that is open is worth more than one that might load.
- **Do not press twice.** With a tool that guesses, pressing twice sends two mails. Ours sends one, but the habit is a good one anyway.
- **Leave the venue’s log-in page alone** once you have seen it. Turn the wifi off instead: a mobile network that is slow beats a wifi that lies.

## What can wait, and what cannot
Decisions, notes, edits and applications can wait for hours: they are text, and text keeps. Payments and tickets sold at the door cannot: take them on a connection of their own, a phone with a different provider by the window. Everything that needs someone else’s answer right now should be done by walking up to them.

## On the way home
Somewhere between the hall and the train the bars come back. Open the app once and look at the badge: it counts down and then it is gone. If something needs your attention it says what and why. Then the evening is really over.
`,
}
