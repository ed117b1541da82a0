import { expect, it } from 'vitest'
import { commonPasswords, isEasyPassword } from './easy-password.ts'

const olivia = { username: 'Olivia Lane', email: 'olivia.lane@example.com' }

const easy =
  '123456,password,QWERTY123, letmein ,iloveyou,aaaaaaa,!!!!!!,Welcome2026,' +
  'Olivia Lane,olivialane,olivia.lane,OLIVIA-LANE,olivialane1,Olivia.Lane2026!,olivia.lane@example.com'

it.each(easy.split(','))('%s is too easy', (password) => {
  expect(isEasyPassword(password, olivia)).toBe(true)
})

it.each([
  'lantern',
  'long enough',
  'beaconry-demo',
  'olivia has a boat',
  'lane of lanterns',
  '20261122x',
  'wrong password',
])('%s is not', (password) => {
  expect(isEasyPassword(password, olivia)).toBe(false)
})

it('a name of digits alone is no reason to refuse every number', () => {
  expect(isEasyPassword('73915284', { username: '404', email: '404@example.com' })).toBe(false)
  expect(isEasyPassword('404404', { username: '404404', email: 'x@example.com' })).toBe(true)
})

it('the list holds some hundreds of passwords, none of which is too short to be chosen', () => {
  expect(commonPasswords.size).toBeGreaterThan(400)
  expect([...commonPasswords].filter((password) => password.length < 6 || password !== password.toLowerCase())).toEqual(
    [],
  )
})
