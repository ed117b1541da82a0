import { passagesOf } from './passages.ts'

export const beaconQuestions = passagesOf(`
## What is a Beacon?
A volunteer who helps guests of an event meet. Beacons welcome people who came alone, ask what they are looking for, and introduce them to someone worth their time. They are guests themselves, not staff: no badge scanning, no coats, no speeches.

## Who should be a Beacon?
Anyone who remembers names, is curious about strangers and can leave a conversation kindly. It helps to know the field, the town or the regulars. It does not take an extrovert: many of the best ones are quiet people who listen well and connect two others rather than hold the floor.

## How do I recruit Beacons for my event?
Publish the event with a clear incentive, then send the address of its application page to the ten people who made your last event good. Add it to the ticket confirmation and print it on a poster. Most applications come from people who were asked by name.

One Beacon for twenty to twenty-five guests is a good start. Approve a few more than you need: someone always has a train to catch.

## How do guests find the Beacons?
On the event’s page, under “Meet the Beacons”, as soon as you approve them: name, job, company, bio and, if they gave one, their LinkedIn profile. At the event, give Beacons something that can be seen across the room: a lantern pin, a coloured lanyard, a fixed corner each.

## Why should I sign up as a Beacon?
Because the host of a conversation meets everyone. You get what the organizer offers, often a free ticket or a seat at the dinner; your name and profile on the event’s page; and the easiest opening line there is: “I’m one of the Beacons. Whom would you like to meet?”
`)

export const networkingTips = passagesOf(`
## Arrive early
Ten people are easier to meet than two hundred. The first half hour is also when Beacons have the most time for you.

## Know whom you want to meet
One sentence is enough: “someone who has hired their first salesperson.” A Beacon can work with that. No one can work with “interesting people”.

## Ask before you tell
Open with what brought them here, not with what you do. People remember the conversation in which they said something clever.

## Stand where people stop
Near the coffee, not in the queue for it; near the door of the hall, not in it. High tables beat sofas: it is easy to join and easy to leave.

## Leave well
“I’ll let you meet more people” is true and kind. Better still, introduce the two nearest people to each other on your way out.

## Write it down tonight
Three names, one line each, before you sleep. Send the message you promised within two days, with the thing you promised in it.
`)

export const proTips = passagesOf(`
## Name the incentive in numbers
“A free ticket worth $120 and dinner with the speakers” brings more applications than “great perks”.

## Ask one question that costs a minute
A single question of your own, such as “Who in this room would you introduce to whom?”, tells you more than three pages would.

## Decide within two days
Good volunteers are good at finding other things to do. Turn on alerts and decide when they come; approving takes one tap.

## Give each Beacon a place
A corner, a theme, a kind of guest. “Walk around and be nice” is not a task. [Brief them in fifteen minutes](/blog/brief-your-beacons).
`)
