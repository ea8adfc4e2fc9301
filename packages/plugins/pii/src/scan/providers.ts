/**
 * Providers whose keys and tokens have no published form but many random characters. Each name is written as in names
 * of variables and in the sentences before a key. Names that are also words of prose or code are left out.
 */
export const providers: ReadonlySet<string> = new Set(
  `abuseipdb accuweather adafruit adobe adzuna airbrake airship airtable airvisual aiven alchemy algolia alibaba
  alienvault amadeus amplitude anypoint apideck apiflash apify apilayer apollo appcues artifactory asana
  assemblyai atera atlassian autodesk autopilot aviationstack azure baremetrics beamer betterstack bitbucket
  bitfinex bitly bitmex bittrex blazemeter blocknative braintree browserstack bugsnag buildkite calendarific
  calendly caspio censys chartmogul checkly circleci clarifai clearbit clickhouse clicksend clickup clockify
  cloudconvert cloudflare cloudinary cloudmersive cloudsmith codacy codeclimate codecov codemagic cohere coinapi
  coinbase confluence confluent contentful couchbase coveralls crowdin cryptocompare currencylayer customerio
  databricks datadog deepai deepgram deepseek detectify digitalocean discord disqus docusign doppler droneci
  dropbox dwolla dynatrace edamam elevenlabs etherscan etsy eventbrite exchangerate facebook fastly figma finage
  finicity finnhub firebase fixerio flickr flightaware flutterwave foursquare freshbooks freshdesk freshworks
  fullstory geoapify geocodio getresponse giphy gitter gocardless godaddy gumroad hasura hellosign
  helpscout heroku honeycomb hubspot huggingface hunterio ibmcloud imagekit imgur infura insightly intercom
  intrinio ipdata ipgeolocation ipinfo ipstack jfrog jira jotform jumpcloud keenio klaviyo kraken kucoin
  langfuse launchdarkly lemlist lemonsqueezy liveagent locationiq loggly logzio lokalise looker
  mailchimp mailerlite mailgun mailjet mandrill mapbox mapquest mattermost maxmind mediastack meraki messagebird
  mistral mixpanel moralis netlify netsuite newrelic newsapi nexmo ngrok nutritionix nvidia nylas nytimes okta
  omnisend onelogin onesignal opencage openrouter openweather openweathermap opsgenie optimizely   pagerduty pandadoc parsehub paypal paystack pepipost pinata pinecone pipedream pipedrive plaid planetscale
  plivo poloniex polygonscan portainer posthog postman postmark prefect pubnub pulumi pushbullet pusher
  quickbooks rapidapi raygun razorpay rebrandly recaptcha recurly replicate ringcentral rollbar salesforce
  salesloft sanity saucelabs scalr scraperapi scrapingbee securitytrails sendbird sendgrid sendinblue
  sentry serpapi serpstack shippo shodan shutterstock signalwire sinch smartsheet smartystreets
  snipcart snowflake snyk sonarcloud sonarqube sourcegraph sparkpost splunk spoonacular spotify squarespace
  statuscake statuspage storyblok strava stytch sumologic supabase surveymonkey swiftype tableau tatum
  taxjar telegram telnyx testingbot thousandeyes ticketmaster tiingo todoist toggl tomtom travis travisci trello
  twelvedata twilio twitch twitter typeform ubidots unsplash uploadcare uptimerobot urlscan userstack vercel
  virustotal visualcrossing vonage vultr weatherbit weatherstack webex webflow wepay wistia wrike xero yandex
  yelp youtube zapier zendesk zenrows zenserp zeplin zerobounce zerotier zoho zulip`.split(/\s+/),
);
