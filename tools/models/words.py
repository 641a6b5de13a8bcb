"""Word lists of the corpus: everyday words of several languages, written down for this purpose."""

ENGLISH = """
about above account across action actually address after again agreement airport almost already although always
amount analysis animal another answer appear approach area argument arrive article asked attention autumn available
average balance basic battery beach because become before begin behind believe benefit better between beyond bicycle
birthday blanket board border bottle branch bread breakfast bridge brother budget building business butter cable
calendar camera cancel candle carefully carry castle catalogue centre certain chair change chapter charge cheap check
cheese children choice church circle citizen city classic clean clear climate clock close clothes coast coffee cold
collect colour comfort common company compare complete computer concert condition confirm connect consider contact
contract corner correct cotton country couple course cousin cover create credit culture current customer damage dance
danger daughter decide deep degree delivery department depend describe desert design detail develop device dictionary
different difficult dinner direct discount discover distance doctor document double doubt dozen dream drive during dust
early earth east easy economy edge education effect effort electric elephant email empty energy engine enjoy enough
entire envelope equal error evening every evidence exactly example except exchange expect expensive experience explain
extra factory fairly family famous farmer fashion faster father feature festival field figure finally finger finish
fire first flight floor flower follow foreign forest forget formal forward fresh friend front fruit full furniture
future garden gather general gentle glass global gold good government grain grass great green ground group grow guess
guest guide habit half hammer hand happen happy harbour hardly health heart heavy height helpful history holiday honest
hope horse hospital hotel hour house however hundred idea image important improve include income increase indeed inside
instead interest invoice island issue itself jacket job join journey judge just keep kettle keyboard kitchen knife
knowledge ladder lamp language large later laugh lawyer leader learn leave letter level library light likely limit
listen little local london long lower lucky machine magazine main manager many market material matter meaning measure
medicine meeting member memory message metal middle minute mirror model modern moment money month morning mother
mountain move museum music narrow nation nature nearly need network never news night noise normal north notebook
nothing notice number object ocean offer office often older onion open opinion orange order ordinary original outside
over owner package page paint paper parcel parent park part partner party passenger password past patient pattern
payment people perfect perhaps person phone photo picture piece place plan plastic platform please pocket point police
policy popular position possible potato power practice prefer prepare present price print private probably problem
process product profile program project promise protect provide public purpose quality quarter question quick quiet
quite railway rain range rather reach reader ready reason receive recent record reduce refund region regular relation
remember remove rent repair repeat reply report request research rest result return review rice right river road room
round safe salad sample school science screen search season second section secure seldom sense sentence separate series
serious service several shadow share sheet shelf ship shop short shoulder side signal silver similar simple single
sister size sleep slow small smart smile smooth snow social soft soil solution someone song soon sound source south
space speak special speed spoon spring square stable stairs standard start station steel step still stone storage store
storm story straight strange street strong student study subject success sudden sugar suggest summer supply support
surface surprise system table talk target task taste teacher team technical temperature term test text theatre thing
think though ticket time today together tomorrow tool total touch tower town trade traffic train travel tree trip
trouble truck trust truth turn type under unit update upper useful usual valley value vegetable vehicle version village
visit voice volume wait walk wall warm warranty wash watch water weather website week weight welcome west wheel while
white whole wide window winter wire wood word work world worth write year yellow yesterday young
""".split()

SMALL = """
a the of to and in is that it for was on are with as at be this have from or had by not but what all were we when your
can said there use an each which she do how their if will up other out many then them these so some her would make like
him into has two more no way could my than been who its now did get come may
""".split()

# Words that are rare in ordinary text, and fall into several pieces.
TECHNICAL = """
backpropagation bioluminescence chloroplast cryptocurrency defibrillator dehydrogenase electroencephalogram
electromagnetism extraterritorial heteroscedasticity hydroxychloroquine immunoglobulin interoperability
kilowatt-hours microservices mitochondrial multithreaded neurotransmitter nondeterministic osteoporosis
photosynthesis polytetrafluoroethylene pseudorandomness quantisation reproducibility semiconductors
spectrophotometer thermodynamics throughput tokenisation ultrasonography vectorised
""".split()

LANGUAGES = {
    "french": """le la les une des être avoir faire déjà très où façon garçon élève forêt hôpital fenêtre cœur sœur
        œuvre naïf maïs août noël été hiver printemps automne rivière montagne château gâteau crème brûlée société
        université qualité vérité liberté égalité communauté généralement malgré près après dès voilà peut-être
        aujourd'hui quelqu'un l'école d'abord français président réponse problème système""".split(),
    "german": """der die das und nicht über für können müssen würde schön größer Straße Fuß weiß heißt Mädchen
        Bücher Häuser Städte Universität Geschwindigkeit Wirtschaft Verständnis Gesellschaft Zusammenarbeit
        Donaudampfschifffahrt Krankenversicherung Lebensmittel Rückmeldung täglich natürlich früher später während
        zwölf fünf Tür Öl Äpfel überall""".split(),
    "spanish": """el los una que más también señor niño mañana año español corazón canción información acción después
        todavía quizás está están días país países teléfono médico público rápido fácil difícil inglés café música
        página número área línea jamás ¿qué ¿cómo ¡hola pingüino averigüe""".split(),
    "polish_czech": """się jest które może będzie książka żółty źródło świat łódź ćwiczenie gęś zażółć jaźń mężczyzna
        dziękuję proszę wieczór příliš žluťoučký kůň úpěl ďábelské ódy děkuji město řeka škola říká účet střední
        člověk vědět""".split(),
    "turkish_vietnamese": """için değil çok güzel şehir öğrenci çalışma ışık İstanbul ağaç düğün üçüncü tiếng Việt
        không người được những nước đường trường học phở bánh mì cảm ơn xin chào ngày đẹp""".split(),
    "russian_ukrainian": """это который может время человек работа город вопрос ответ сегодня завтра вчера хорошо
        плохо большой маленький книга школа дом улица погода система проверка сообщение доставка заказ спасибо
        пожалуйста здравствуйте объект ёлка съёмка який місто їжак ґанок дякую привіт людина Київ""".split(),
    "greek": """και είναι από που δεν για με αυτό καλημέρα ευχαριστώ παρακαλώ πόλη θάλασσα βιβλίο σχολείο δρόμος σπίτι
        άνθρωπος ημέρα νύχτα χρόνος ερώτηση απάντηση μεγάλος μικρός Αθήνα ήλιος φεγγάρι γλώσσα ΐ""".split(),
    "arabic_hebrew": """مرحبا شكرا كتاب مدرسة مدينة سؤال جواب اليوم غدا أمس جيد كبير صغير ماء شمس قمر طريق بيت عمل وقت
        شَمْسٌ כּِתָב שלום תודה ספר בית עיר שאלה תשובה היום מחר טוב גדול קטן""".split(),
    "indic_thai": """नमस्ते धन्यवाद किताब स्कूल शहर प्रश्न उत्तर आज कल अच्छा बड़ा छोटा पानी सूरज வணக்கம் நன்றி புத்தகம்
        สวัสดี ขอบคุณ หนังสือ เมือง คำถาม วันนี้ พรุ่งนี้""".split(),
    "cjk": """你好 世界 今天 天气 很好 我们 学习 语言 模型 城市 问题 回答 明天 昨天 谢谢 请问 图书馆 火车站 電腦 學校
        こんにちは ありがとう 今日 明日 学校 東京 カタカナ コンピュータ ひらがな データ 안녕하세요 감사합니다 오늘
        내일 학교 도시 질문 대답 언어 모델""".split(),
}

# One sign, signs joined to one, with a skin tone, a flag, a key cap, a heart with a selector.
EMOJI = ["😀", "😂", "🙏", "🎉", "🚀", "🔥", "👍", "👍🏽", "❤️", "👩‍💻", "👨‍👩‍👧‍👦", "🇪🇺", "🇯🇵", "3️⃣", "✅", "⚠️", "🐍", "🦀", "☕", "🌍"]

# What real texts have between their words.
ODDITIES = ["v2.13.0", "e.g.", "i.e.", "100%", "$19.99", "€5,50", "10:30", "2024-02-29", "#42", "@support", "C++", "A/B",
            "user_name", "https://example.org/a?b=c&d=1", "mail@example.org", "0x7ffe", "1e-4", "AC/DC", "don't", "we're",
            "rock'n'roll", "(see below)", "[sic]", "\"quoted\"", "‘curly’", "“double”", "—", "…", "½", "5 km²", "x̄", "naïve",
            "ﬁnal", "Ａ１", "№7", "™"]
