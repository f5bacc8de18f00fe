"""An endpoint that speaks OpenAI's API, through `openai`."""
import os

import openai
from report import equal, read_stream, report

base_url = f"{os.environ['ADDRESS']}/v2/{os.environ['OPENAI']}/openai/v1"
client = openai.OpenAI(api_key=os.environ["KEY"], base_url=base_url, max_retries=0)
MESSAGES = [{"role": "user", "content": "Hello"}]


def models():
    equal([model.id for model in client.models.list()], ["tiny"])


def chat():
    answer = client.chat.completions.create(model="tiny", messages=MESSAGES)
    equal(answer.choices[0].message.content, "You wrote: Hello")


def chat_streamed():
    def parts(message):
        messages = [{"role": "user", "content": message}]
        for part in client.chat.completions.create(model="tiny", messages=messages, stream=True):
            yield part.choices[0].delta.content or ""

    read_stream(parts)


def completions():
    equal(client.completions.create(model="tiny", prompt="Hello").choices[0].text, "You wrote: Hello")


def embeddings():
    answer = client.embeddings.create(model="tiny", input="Hello", encoding_format="float")
    equal(answer.data[0].embedding, [0.5, 0.25])


def responses():
    equal(client.responses.create(model="tiny", input="Hello").output_text, "You wrote: Hello")


def missing_model():
    try:
        client.chat.completions.create(model="missing", messages=MESSAGES)
    except openai.NotFoundError:
        return
    raise AssertionError("a missing model was not refused")


def wrong_key():
    try:
        openai.OpenAI(api_key="rpa_wrong", base_url=base_url, max_retries=0).models.list()
    except openai.AuthenticationError:
        return
    raise AssertionError("a wrong key was not refused")


report(
    {
        "models.list": models,
        "chat.completions.create": chat,
        "chat.completions.create, streamed": chat_streamed,
        "completions.create": completions,
        "embeddings.create": embeddings,
        "responses.create": responses,
        "NotFoundError for a missing model": missing_model,
        "AuthenticationError for a wrong key": wrong_key,
    }
)
